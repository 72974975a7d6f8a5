"""Domino games as reinforcement-learning environments.

Importing this loads none of Numba, Gymnasium or PettingZoo: a game's code comes with the first environment made.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "game_names", "load_game", "make_aec", "make_env", "make_vec"]

_HOMES = {
    "game_names": "domino_envs.games",
    "load_game": "domino_envs.games",
    "make_aec": "domino_envs.envs.aec",
    "make_env": "domino_envs.envs.single",
    "make_vec": "domino_envs.envs.vector",
}

if TYPE_CHECKING:
    from domino_envs.envs.aec import make_aec
    from domino_envs.envs.single import make_env
    from domino_envs.envs.vector import make_vec
    from domino_envs.games import game_names, load_game


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
