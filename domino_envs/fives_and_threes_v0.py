"""`from domino_envs import fives_and_threes_v0; fives_and_threes_v0.env()`."""

from domino_envs._versioned import faces_of

env, raw_env = faces_of("fives_and_threes_v0")
