"""Threads that share the rows of a batch."""

import threading
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any


class RowThreads:
    """Helpers that run a kernel on parts of the rows, beside the thread that asks for it.

    An executor would do, but takes several times as long to hand a part over, which small batches feel.
    """

    def __init__(self, helpers: int):
        self._parts: SimpleQueue = SimpleQueue()
        for _ in range(helpers):
            threading.Thread(target=_help, args=(self._parts,), daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._parts, helpers)

    def run(self, kernel: Callable, arguments: Sequence[Any], rows: Sequence[tuple[int, int]]) -> None:
        """Runs `kernel(*arguments, start, stop)` for every part; what a kernel or an interrupt raises, it raises at last."""
        given = [_Part(kernel, (*arguments, *part)) for part in rows[1:]]
        for part in given:
            self._parts.put(part)
        try:
            kernel(*arguments, *rows[0])
        finally:
            _wait_for(given)
        for part in given:
            if part.error is not None:
                raise part.error


class _Part:
    """A call that a helper makes; `done` can be acquired once, when it is over."""

    def __init__(self, kernel: Callable, arguments: tuple):
        self.kernel, self.arguments = kernel, arguments
        self.error: BaseException | None = None
        self.over = False
        self.done = threading.Lock()
        self.done.acquire()


def _wait_for(parts: Sequence[_Part]) -> None:
    """Waits until all parts are done, as helpers write into arrays that others will use; then raises what interrupted it."""
    interrupt: BaseException | None = None
    for part in parts:
        while not part.over:
            try:
                part.done.acquire()
            except BaseException as error:
                interrupt = error
    if interrupt is not None:
        raise interrupt


def _help(parts: SimpleQueue) -> None:
    while (part := parts.get()) is not None:
        try:
            part.kernel(*part.arguments)
        except BaseException as error:  # it belongs to the thread that waits
            part.error = error
        part.over = True
        part.done.release()
        del part  # or the arrays would live until the next one


def _dismiss(parts: SimpleQueue, helpers: int) -> None:
    for _ in range(helpers):
        parts.put(None)
