"""The variants, one file each, found by looking into this folder."""

import functools
import importlib
import pkgutil
import re
from typing import Any


def game_names() -> list[str]:
    """Returns the names of all variants, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load_game(name: str, num_players: int = 2, **options: Any):
    """Returns the `Game` of a variant, by `"all_fives"` or `"all_fives_v0"`.

    Raises:
        ValueError: no such variant or version, or an option's value is out of range.
        TypeError: no such option, or a value of the wrong type.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a game must be a string, got {name!r}")
    base, version = re.fullmatch(r"(.*?)(?:[_-]v(0|[1-9][0-9]*))?", name, re.DOTALL).groups()
    if base not in game_names():
        raise ValueError(f"no game {name!r}; the games are {', '.join(game_names())}")
    game = _load(base, num_players, tuple(sorted(options.items())))
    if version is not None and int(version) != game.version:
        raise ValueError(f"no version {version} of {base}; it is at {game.id}")
    return game


def _load(name: str, num_players: int, options: tuple) -> Any:
    try:
        return _load_once(name, num_players, options, tuple(type(value) for _, value in options), type(num_players))
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
    return importlib.import_module(f"{__name__}.{name}").game(num_players, **dict(options))


@functools.lru_cache(maxsize=256)
def _load_once(name: str, num_players: int, options: tuple, _types: tuple, _type: type) -> Any:
    """The types are part of the key, for `True == 1` and `1.0 == 1`."""
    return importlib.import_module(f"{__name__}.{name}").game(num_players, **dict(options))
