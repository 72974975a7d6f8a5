"""From a user's seed to the streams of the games; nothing here reads or moves a global random state."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def check_seed(seed: Any) -> int:
    """Returns a seed as an int; raises TypeError or ValueError unless it is a non-negative integer."""
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"a seed must be a non-negative integer, got {seed!r}")
    if seed < 0:
        raise ValueError(f"a seed must be a non-negative integer, got {seed!r}")
    return int(seed)


def stream_of(seed: int | None) -> np.uint64:
    """Returns the stream of the game of one seed; None takes fresh entropy."""
    return _stream(np.random.SeedSequence(None if seed is None else check_seed(seed)))


def streams_of(seed: int | Sequence[int] | None, count: int) -> np.ndarray:
    """Returns `uint64[count]`: of the children of one seed, or of a list of seeds, one a row.

    Children, rather than `seed + row`, so that neighbouring seeds share no games.
    """
    if seed is None or isinstance(seed, (int, np.integer)):
        children = np.random.SeedSequence(None if seed is None else check_seed(seed)).spawn(count)
        return np.array([_stream(child) for child in children], np.uint64)
    if not isinstance(seed, (list, tuple, range, np.ndarray)) or np.ndim(seed) == 0:
        raise TypeError(f"seed must be None, an integer or a list of {count} integers, got {seed!r}")
    if len(seed) != count:
        raise ValueError(f"seed must have one entry for each of the {count} rows, got {len(seed)}")
    return np.array([stream_of(check_seed(entry)) for entry in seed], np.uint64)


def _stream(sequence: np.random.SeedSequence) -> np.uint64:
    return sequence.generate_state(1, np.uint64)[0]
