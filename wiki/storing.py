"""Where the bytes of files are: under names of ours, in Django's default storage."""

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import default_storage

CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class Stored:
    """Bytes that are safe now: where, how many, and their SHA-256 in hexadecimal."""

    key: str
    size: int
    sha256: str


def store(file: IO[bytes]) -> Stored:
    """Store a file under a new name; nothing is ever overwritten."""
    digest, size = hashlib.sha256(), 0
    file.seek(0)
    while chunk := file.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
    file.seek(0)
    name = uuid.uuid4().hex
    key = default_storage.save(f"{name[:2]}/{name}", File(file))
    return Stored(key, size, digest.hexdigest())


@contextmanager
def undone_on_error(stored: Stored) -> Iterator[None]:
    """Take the bytes back when what follows fails: no row will name them."""
    try:
        yield
    except BaseException:
        discard(stored.key)
        raise


def discard(key: str) -> None:
    """Delete stored bytes, if they are there."""
    default_storage.delete(key)


def size_of(key: str) -> int | None:
    """Return how many bytes are stored, None where there are none."""
    try:
        return default_storage.size(key)
    except FileNotFoundError:
        return None


def path_of(key: str) -> Path:
    """Return where the bytes are on this machine, for a copy of them."""
    return Path(default_storage.path(key))


def read(key: str, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes [start, end); raises FileNotFoundError before the first."""
    return _closing(default_storage.open(key, "rb"), start, end)


def _closing(file: "File[Any]", start: int, end: int) -> Iterator[bytes]:
    with file:
        file.seek(start)
        left = end - start
        while left > 0 and (chunk := file.read(min(CHUNK, left))):
            left -= len(chunk)
            yield chunk
