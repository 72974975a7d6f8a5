"""Options of the test run, and what all tests share."""

import os

import pytest

SOAK = "--soak"
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"


def pytest_addoption(parser):
    parser.addoption(SOAK, action="store_true", help="full counts: tens of thousands of games")


def pytest_collection_modifyitems(config, items):
    for item in items:
        if "soak" in item.keywords and not config.getoption(SOAK):
            item.add_marker(pytest.mark.skip(reason=f"needs {SOAK}"))
        if UNCOMPILED:  # then the wrap of 64-bit arithmetic that SplitMix64 is made of warns
            item.add_marker(pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"))


@pytest.fixture
def count(request):
    """Returns a function from the full number of games to this run's: all with `--soak`, a twentieth without."""
    full = request.config.getoption(SOAK)
    return lambda number: number if full else max(1, number // 20)
