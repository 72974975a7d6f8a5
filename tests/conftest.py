"""Options of the test run, and what all tests share."""

import os

import pytest

from domino_envs import game_names, load_game

SOAK = "--soak"
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
# What kernels are compiled for, by game; the longest names first, for some contain others.
FAMILIES = {name: load_game(name).state_dtype.names[0] for name in sorted(game_names(), key=len, reverse=True)}


def pytest_addoption(parser):
    parser.addoption(SOAK, action="store_true", help="full counts: tens of thousands of games")


def family_of(item):
    """Returns the family of the game that a test names, or None."""
    return next((family for name, family in FAMILIES.items() if name in item.nodeid), None)


def pytest_collection_modifyitems(config, items):
    for item in items:
        if family := family_of(item):  # the tests of a family go to one process, which compiles its kernels once
            item.add_marker(pytest.mark.xdist_group(family))
        if "soak" in item.keywords and not (config.getoption(SOAK) or (UNCOMPILED and "nojit" in item.keywords)):
            item.add_marker(pytest.mark.skip(reason=f"needs {SOAK}"))
        if UNCOMPILED:  # then the wrap of 64-bit arithmetic that SplitMix64 is made of warns
            item.add_marker(pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"))


@pytest.fixture
def count(request):
    """Returns a function from the full number of games to this run's: all with `--soak`, a twentieth without."""
    full = request.config.getoption(SOAK)
    return lambda number: number if full else max(1, number // 20)
