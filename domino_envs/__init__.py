"""Domino games as reinforcement-learning environments.

Importing this loads none of Numba, Gymnasium or PettingZoo: a game's code comes with the first environment made.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from domino_envs.registration import register_when_imported

__version__ = "0.1.0"
__all__ = ["__version__", "game_names", "load_game", "make_aec", "make_env", "make_gym_vec", "make_sb3", "make_vec"]

_HOMES = {
    "game_names": "domino_envs.games",
    "load_game": "domino_envs.games",
    "make_aec": "domino_envs.envs.aec",
    "make_env": "domino_envs.envs.single",
    "make_gym_vec": "domino_envs.envs.gym_vector",
    "make_sb3": "domino_envs.envs.sb3",
    "make_vec": "domino_envs.envs.vector",
}

if TYPE_CHECKING:
    from domino_envs.envs.aec import make_aec
    from domino_envs.envs.gym_vector import make_gym_vec
    from domino_envs.envs.sb3 import make_sb3
    from domino_envs.envs.single import make_env
    from domino_envs.envs.vector import make_vec
    from domino_envs.games import game_names, load_game


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_when_imported()
