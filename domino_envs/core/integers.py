"""What counts as an integer wherever somebody gives one."""

from typing import Any

import numpy as np


def is_integer(value: Any) -> bool:
    """Tells whether a value is an integer of Python's or NumPy's; booleans and spans of time, whose types derive, are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def check_integer(name: str, value: Any, low: int, high: int | None = None, or_word: str = "") -> int:
    """Returns a value as an int; `or_word` says what else may stand there.

    Raises:
        TypeError: it is no integer.
        ValueError: it is below `low`, which is 0 or 1 where there is no `high`, or above `high`.
    """
    whole = {0: "a non-negative integer", 1: "a positive integer"}.get(low) if high is None else None
    if not is_integer(value):
        raise TypeError(f"{name} must be {whole or 'an integer'}{or_word}, got {value!r}")
    if value < low or (high is not None and value > high):
        raise ValueError(f"{name} must be {whole or f'from {low} to {high}'}{or_word}, got {value!r}")
    return int(value)
