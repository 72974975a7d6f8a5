"""The compilers of the kernels: functions wait for those that Python calls, and work as if they had not."""

import os

import numba
import numpy as np
import pytest

from domino_envs.core.jit import entry, njit


@njit
def deepest(values, place):
    return values[place] % 3


@njit
def middle(values, place):
    return deepest(values, place) + deepest(values, np.int8(place))  # two signatures of one function


@njit
def outer(values, place):
    return middle(values, place) * 10


@entry
def deepest_first(values, place):
    return deepest(values, place) + outer(values, place)


@entry
def deepest_last(values, place):
    return outer(values, place) + middle(values, place)


@entry
def remainder(number, by):
    return divided(number, by)


@njit
def divided(number, by):
    return number % by


def test_functions_reach_what_others_call_too():
    values = np.arange(5)
    for place in range(5):
        own = place % 3
        assert deepest_first(values, place) == own + 20 * own
        assert deepest_last(values, place) == 20 * own + 2 * own


def test_functions_compiled_otherwise_may_call_them():
    def own(values, place):
        return outer(values, place) + deepest(values, place)

    assert numba.njit(own)(np.arange(5), 4) == 21


def test_python_cannot_call_them():
    deepest_first(np.arange(5), 4)
    with pytest.raises(TypeError, match="outer can be called by compiled code only"):
        outer(np.arange(5), 4)


def test_errors_come_out_of_the_functions_inside():
    assert remainder(7, 4) == 3
    with pytest.raises(ZeroDivisionError):
        remainder(7, 0)


@pytest.mark.boundscheck
def test_bounds_are_checked_inside():
    if not os.environ.get("NUMBA_BOUNDSCHECK"):
        pytest.skip("needs NUMBA_BOUNDSCHECK=1")
    with pytest.raises(IndexError):
        deepest_first(np.arange(5), 5)
