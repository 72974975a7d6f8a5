"""`from domino_envs import block_v0; block_v0.env()`."""

from domino_envs._versioned import faces_of

env, raw_env = faces_of("block_v0")
