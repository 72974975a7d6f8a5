"""Files that an interruption leaves whole, and folders that one process writes in at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a path to write to; the file then takes the place of `path`: an interruption leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    yield beside
    beside.replace(path)


def replace_text(path: Path, text: str) -> None:
    """Writes a text in place of what a file holds, as it stands, in UTF-8."""
    with replacing(path) as beside:
        beside.write_text(text, "utf-8", newline="")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing in a folder, which is made if it is not there; a process that dies lets go of it.

    Raises:
        BlockingIOError: another process writes there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BlockingIOError(f"{folder} is in use by another process") from None
    try:
        yield
    finally:
        lock.release()
