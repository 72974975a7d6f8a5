"""`from domino_envs import all_fives_and_threes_v0; all_fives_and_threes_v0.env()`."""

from domino_envs._versioned import faces_of

env, raw_env = faces_of("all_fives_and_threes_v0")
