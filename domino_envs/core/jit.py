"""Compilers whose on-disk cache cannot go stale.

Numba keys its cache by the file that a function stands in, and so goes on running old code after an edit in a file that
the function calls into. Here the cache folder bears a hash of all the sources that the code can depend on: an edit
in any of them opens a new folder.
"""

import functools
import hashlib
import itertools
import os
import secrets
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numba
from numba import config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache
from numba.core.sigutils import normalize_signature

from domino_envs.core.linking import ForCallers, ForPython

# Numba names compiled functions by counters that start at 1 in every process, record types among them: code that two
# processes cached for different tables can bear one name, and a third that loads both would run the one for the other.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))

if config.DISABLE_JIT:  # the integers of the generator wrap around, and of that NumPy warns
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning, r"domino_(envs|agents)\.")

_ROOT = Path(__file__).resolve().parent.parent
_KERNEL_SOURCES = ("core", "games", "engine.py")  # the only places of this package where compiled code lives


@functools.cache
def _sources_hash(package: Path) -> str:
    """Returns a hash of this package's kernels, and of all of `package` where that is another one."""
    places = [_ROOT / place for place in _KERNEL_SOURCES]
    files = [file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])]
    if package != _ROOT:
        files += package.rglob("*.py")
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(files):
        digest.update(str(source.relative_to(source.parents[2])).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Returns the folder that holds our caches: `$NUMBA_CACHE_DIR`, or the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(chosen) if chosen else Path(home) / "domino_envs"


def _package_of(function: Callable) -> Path | None:
    """Returns the folder of the top-level package that defines `function`; None for a lone module or a notebook."""
    depth = function.__module__.count(".")
    return Path(function.__code__.co_filename).resolve().parents[depth - 1] if depth else None


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


class _CheckedCache(FunctionCache):
    """Numba's cache, with a look at what comes out of it.

    Two processes that store different signatures of one function at the same time can leave an index that names the
    other's code, which would then run on records of another shape.
    """

    def load_overload(self, sig, target_context):
        found = super().load_overload(sig, target_context)
        wanted, _ = normalize_signature(sig)
        return found if found is not None and tuple(found.signature.args) == tuple(wanted) else None


# Without the reference-counted heap a kernel cannot allocate, and passing an array costs no atomic counting: the batch runs
# about 1.3 times as fast.
_OPTIONS = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
INNER = {**_OPTIONS, "no_cpython_wrapper": True, "pipeline_class": ForCallers}


def njit(function: Callable) -> Callable:
    """Compiles a function that only compiled code calls: no GIL, no heap."""
    return _hidden_from_python(numba.njit(**INNER)(function))


def njit_with_heap(function: Callable) -> Callable:
    """Compiles a function like `njit` that may allocate arrays."""
    return _hidden_from_python(numba.njit(**{**INNER, "_nrt": True})(function))


def _hidden_from_python(dispatcher: Callable) -> Callable:
    """Lets calls from Python end in a TypeError: there is no code to go to."""
    if config.DISABLE_JIT:
        return dispatcher

    def refuse(*args, **kwargs):
        raise TypeError(f"{dispatcher.__qualname__} can be called by compiled code only: write a function for it with `entry`")

    dispatcher._compile_for_args = refuse
    dispatcher.add_overload = lambda result: dispatcher.overloads.update({tuple(result.signature.args): result})
    return dispatcher


def entry(function: Callable) -> Callable:
    """Compiles a function like `njit`, to be called from Python; cached on disk where a folder can be written."""
    dispatcher = numba.njit(**_OPTIONS, pipeline_class=ForPython)(function)
    package = _package_of(function)
    if config.DISABLE_JIT or package is None:
        return dispatcher
    folder = _cache_root() / _sources_hash(package)
    if _writable(folder):
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            dispatcher._cache = _CheckedCache(function)  # what enable_caching() does, with our check
        finally:
            config.CACHE_DIR = before
    return dispatcher
