"""`from domino_envs import draw_v0; draw_v0.env()`."""

from domino_envs._versioned import faces_of

env, raw_env = faces_of("draw_v0")
