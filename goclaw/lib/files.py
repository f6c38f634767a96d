"""Write files that others read and write at the same time."""

import contextlib
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold off the other writers of the folder, also of other processes."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def free_path(wanted: Path) -> Path:
    """Return the path, with `-2`, `-3`, … before its ending where it is taken."""
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    return path


def replace_file(path: Path, text: str) -> None:
    """Put a text in a file's place: who reads it sees the old one or the new one.

    It is read back before it takes the place, and on the disk when this returns. Of a
    link the file that it leads to is replaced; permissions stay as they are. One writer
    at a time: see `alone_in`.
    """
    place = path.resolve()
    aside = place.with_name(f".{place.name}.new")
    with aside.open("w", encoding="utf-8", newline="") as file:
        if place.exists():
            os.fchmod(file.fileno(), stat.S_IMODE(place.stat().st_mode))
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if aside.read_bytes() != text.encode():
        raise OSError(f"{aside} is not what was written to it")
    aside.replace(place)
    folder = os.open(place.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
