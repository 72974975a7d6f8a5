"""From a user's seed to the streams of the games; nothing here reads or moves a global random state."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from domino_envs.core.integers import check_integer


def check_seed(seed: Any) -> int:
    """Returns a seed as an int; raises TypeError or ValueError unless it is a non-negative integer."""
    return check_integer("a seed", seed, 0)


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
    return np.array([stream_of(entry) for entry in check_seeds(seed, count)], np.uint64)


def check_seeds(seeds: Any, count: int) -> list[int]:
    """Returns a list of seeds, one a row, as ints; raises TypeError or ValueError unless it is one."""
    if not isinstance(seeds, (list, tuple, range, np.ndarray)) or np.ndim(seeds) == 0:
        raise TypeError(f"seed must be None, an integer or a list of {count} integers, got {seeds!r}")
    if len(seeds) != count:
        raise ValueError(f"seed must have one entry for each of the {count} rows, got {len(seeds)}")
    if any(seed is None for seed in seeds):
        raise TypeError(f"a list of seeds must name one for every row, got {seeds!r}; rows can be reset alone without a seed")
    return [check_seed(seed) for seed in seeds]


def _stream(sequence: np.random.SeedSequence) -> np.uint64:
    return sequence.generate_state(1, np.uint64)[0]
