"""SplitMix64 on `state.rng`: the only randomness of the games.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, and Vigna's public-domain
`splitmix64.c`.
"""

import numpy as np

from domino_envs.core.jit import njit

STREAM = np.dtype([("rng", np.uint64)])  # a stream of its own, for what is no table

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


@njit
def mixed(counter):
    """Returns the 64 random bits of a value of the counter that `rng` is."""
    z = (counter ^ (counter >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    return z ^ (z >> np.uint64(31))


@njit
def below(n, bits):
    """Returns an integer in `[0, n)` for `n < 2**32`, from 64 random bits.

    Multiply and shift (Lemire 2019) without the rejection step: the bias is below `n / 2**32`.
    """
    return np.int64(((bits >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def next_uint64(state):
    """Returns 64 random bits and advances `state.rng`."""
    state.rng = state.rng + GAMMA
    return mixed(state.rng)


@njit
def randint(state, n):
    """Returns an integer in `[0, n)` for `n < 2**32` and advances `state.rng`."""
    return below(n, next_uint64(state))


@njit
def random_unit(state):
    """Returns a float64 in `[0, 1)` and advances `state.rng`."""
    return np.float64(next_uint64(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
