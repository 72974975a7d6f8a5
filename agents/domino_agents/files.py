"""Files that an interruption leaves whole, and folders that one process writes in at a time."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(f"{folder} is in use by another process") from None
        yield
