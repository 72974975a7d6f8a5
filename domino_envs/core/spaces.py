"""What seats see and what they do, as data with its meaning: the fields of an observation, the runs of actions."""

from typing import NamedTuple

import numpy as np


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


def observation_dtype(fields: tuple[Field, ...]) -> np.dtype:
    """Returns the record of float32 fields."""
    return np.dtype([(field.name, np.float32, field.shape) for field in fields])


def observation_bounds(fields: tuple[Field, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the finite bounds `low[D]` and `high[D]` of the observation's tensor."""
    sizes = [int(np.prod(field.shape)) for field in fields]
    low = np.repeat(np.array([field.low for field in fields], np.float32), sizes)
    high = np.repeat(np.array([field.high for field in fields], np.float32), sizes)
    return low, high
