"""The compilers of the kernels: functions wait for those that Python calls, and work as if they had not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from domino_envs.core import jit
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


def test_compiled_code_stands_only_where_the_cache_looks_for_changes():
    package = Path(jit.__file__).parents[1]
    hashed = [package / place for place in jit._KERNEL_SOURCES]
    others = [path for path in package.rglob("*.py") if not any(path.is_relative_to(place) for place in hashed)]
    assert len(others) > 20
    for path in others:
        assert not re.search(r"^\s*@(entry|njit|njit_with_heap|overload)\b", path.read_text(encoding="utf-8"), re.MULTILINE), (
            path
        )


def test_uncompiled_games_of_a_user_warn_of_nothing():
    code = "from domino_envs import make_vec; tables = make_vec('block', 2); tables.reset(seed=1)\n"
    code += "for _ in range(5): tables.step(tables.sample_actions())\n"
    code += "import numpy; numpy.uint8(255) + numpy.uint8(1)"  # a user's own overflow is still told
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert [line for line in done.stderr.splitlines() if "overflow" in line] == [
        "<string>:3: RuntimeWarning: overflow encountered in scalar add"
    ]


@pytest.mark.boundscheck
def test_bounds_are_checked_inside():
    if not os.environ.get("NUMBA_BOUNDSCHECK"):
        pytest.skip("needs NUMBA_BOUNDSCHECK=1")
    with pytest.raises(IndexError):
        deepest_first(np.arange(5), 5)
