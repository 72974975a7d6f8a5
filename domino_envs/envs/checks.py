"""Checks of the settings that several faces share."""

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any

import numpy as np

from domino_envs.core.integers import check_integer
from domino_envs.core.options import UnknownOption
from domino_envs.engine import FORFEIT, RAISE

RENDER_MODES = ("human", "ansi")
ILLEGAL_MODES = {"raise": RAISE, "forfeit": FORFEIT}


@contextmanager
def naming_settings(face: type, but: tuple[str, ...] = ()) -> Iterator[None]:
    """Lets the error about an unknown option name a face's own settings too, but not those that it decides itself (`but`)."""
    try:
        yield
    except UnknownOption as error:
        own = {setting.name for setting in signature(face).parameters.values() if setting.kind is setting.KEYWORD_ONLY}
        error.settings = (error.settings - {*but}) | own
        raise


def check_max_steps(max_steps: Any) -> int | None:
    """Returns a step limit, None for none; raises TypeError or ValueError."""
    if max_steps is None:
        return None
    steps, most = check_integer("max_steps", max_steps, 1), np.iinfo(np.int64).max
    if steps > most:
        raise ValueError(f"max_steps must be at most {most}, got {max_steps!r}")
    return steps


def check_flag(name: str, value: Any) -> bool:
    """Returns a switch as a bool; raises TypeError unless it is one."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_reset_options(options: Any, known: tuple[str, ...] | None) -> dict:
    """Returns the options of a reset as a dict; raises TypeError or ValueError unless they are known, by None all."""
    if options is not None and not isinstance(options, dict):
        raise TypeError(f"options must be None or a dict, got {options!r}")
    for key in options or {}:
        if known is not None and key not in known:
            raise ValueError(f"a reset has no option {key!r}; its options are {', '.join(known) or 'none'}")
    return options or {}


def check_illegal(illegal: Any) -> str:
    """Returns what illegal actions do; raises ValueError unless it is `"raise"` or `"forfeit"`."""
    if not isinstance(illegal, str) or illegal not in ILLEGAL_MODES:
        raise ValueError(f"illegal must be one of {tuple(ILLEGAL_MODES)}, got {illegal!r}")
    return illegal


def check_actions(actions: Any, num_actions: int, out: np.ndarray, waiting: np.ndarray | None = None) -> np.ndarray:
    """Writes actions that are numbers of actions, legal or not, into `out`, `int64[N]`; raises TypeError or ValueError.

    What stands in a row that is `waiting`, `bool[N]`, is not looked at: 0 is written there.
    """
    actions = np.asarray(actions)
    if actions.shape != out.shape:
        raise ValueError(f"actions must have shape {out.shape}, got {actions.shape}")
    if actions.dtype.kind not in "iu":
        raise TypeError(f"actions must be integers, got {actions.dtype}")
    np.copyto(out, actions, casting="unsafe")
    if waiting is not None:
        out[waiting] = 0
    numbers = out.view(np.uint64)  # negative numbers are large ones here
    if numbers.size and numbers.max() >= num_actions:
        place = int(numbers.argmax())
        raise ValueError(f"actions must be from 0 to {num_actions - 1}, got {actions[place]} at index {place}")
    return out


def check_render_mode(render_mode: Any) -> str | None:
    """Returns a render mode, None for none; raises ValueError unless it is known."""
    if render_mode is not None and not (isinstance(render_mode, str) and render_mode in RENDER_MODES):
        raise ValueError(f"render_mode must be None or one of {RENDER_MODES}, got {render_mode!r}")
    return render_mode
