"""What a versioned module offers to those who import environments as PettingZoo's users do."""

from collections.abc import Callable
from typing import Any


def faces_of(game_id: str) -> tuple[Callable, Callable]:
    """Returns `env` and `raw_env` of a game, one function: the environment checks order, bounds and legality by itself."""

    def env(num_players: int = 2, **settings: Any):
        """Returns the game as a PettingZoo AEC environment; the settings are those of `domino_envs.make_aec`."""
        from domino_envs.envs.aec import make_aec

        return make_aec(game_id, num_players, **settings)

    env.__module__, env.__qualname__ = f"domino_envs.{game_id}", "env"  # found there by pickle, for other processes
    return env, env
