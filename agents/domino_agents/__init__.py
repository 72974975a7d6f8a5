"""Agents for the games of domino_envs: players, search, networks, the arena and its ratings."""
