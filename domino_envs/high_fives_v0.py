"""`from domino_envs import high_fives_v0; high_fives_v0.env()`."""

from domino_envs._versioned import faces_of

env, raw_env = faces_of("high_fives_v0")
