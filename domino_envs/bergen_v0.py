"""`from domino_envs import bergen_v0; bergen_v0.env()`."""

from domino_envs._versioned import faces_of

env, raw_env = faces_of("bergen_v0")
