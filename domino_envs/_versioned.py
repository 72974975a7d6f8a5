"""What a versioned module offers to those who import environments as PettingZoo's users do."""

from typing import Any


def faces_of(game_id: str) -> tuple:
    """Returns `env` and `raw_env` of a game; both check order, bounds and legality by themselves."""

    def env(**settings: Any):
        """Returns the game as a PettingZoo AEC environment; see `domino_envs.make_aec`."""
        from domino_envs.envs.aec import make_aec

        return make_aec(game_id, **settings)

    return env, env
