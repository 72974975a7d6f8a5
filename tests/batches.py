"""Random play of batches, for their tests."""

import numpy as np

ROWS = 7


def play(tables, steps):
    """Plays the batch's own random actions; returns copies of what every step returned."""
    return [[array.copy() for array in tables.step(tables.sample_actions())] for _ in range(steps)]


def assert_same(one, other):
    for arrays, others in zip(one, other, strict=True):
        for array, twin in zip(arrays, others, strict=True):
            np.testing.assert_array_equal(array, twin)
