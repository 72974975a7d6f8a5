"""What seats see and what they do, as data with its meaning: the fields of an observation, the runs of actions."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from domino_envs.core.integers import check_integer


class Field(NamedTuple):
    """One float32 field of an observation; `low` and `high` are finite bounds of its numbers."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str


class Actions(NamedTuple):
    """The actions from `first` to `last`, which mean the same of different tiles or places."""

    first: int
    last: int
    meaning: str


def named_actions(names: list[str], expected: str) -> tuple[Callable[[int], str], Callable[[str], int]]:
    """Returns the functions from an action to its name and back; `expected` describes the names to who gets one wrong."""
    actions = {name: action for action, name in enumerate(names)}

    def action_to_string(action: int) -> str:
        return names[check_integer("an action", action, 0, len(names) - 1)]

    def string_to_action(name: str) -> int:
        if not isinstance(name, str) or name not in actions:
            raise ValueError(f"no action {name!r}; expected {expected}")
        return actions[name]

    return action_to_string, string_to_action


def observation_dtype(fields: tuple[Field, ...]) -> np.dtype:
    """Returns the record of float32 fields."""
    return np.dtype([(field.name, np.float32, field.shape) for field in fields])


def observation_bounds(fields: tuple[Field, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the finite bounds `low[D]` and `high[D]` of the observation's tensor."""
    sizes = [int(np.prod(field.shape)) for field in fields]
    low = np.repeat(np.array([field.low for field in fields], np.float32), sizes)
    high = np.repeat(np.array([field.high for field in fields], np.float32), sizes)
    return low, high
