"""Zips that wait for their import, in the storage of files, named by their jobs only.

One that was tried lies there for whoever sent it to begin the import. What nobody comes
back for within a day goes with the purge of files.
"""

from dataclasses import dataclass
from typing import IO

from django.core.files.storage import default_storage

from goclaw.lib.errors import BadInput
from wiki import storing


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A zip in the storage: where, its bytes, and below which section it goes."""

    key: str
    size: int
    under: str


def keep(file: IO[bytes], *, under: str) -> Kept:
    """Put a zip into the storage; nothing is checked."""
    stored = storing.store(file)
    return Kept(key=stored.key, size=stored.size, under=under)


def opened(kept: Kept) -> IO[bytes]:
    """Return the zip to read from; raises BadInput when it is gone."""
    try:
        return default_storage.open(kept.key, "rb")
    except FileNotFoundError:
        raise gone() from None


def gone() -> BadInput:
    """Return the refusal for a zip that is not there any more."""
    return BadInput(
        "The zip is not kept any longer.",
        code="upload_gone",
        field="file",
        remedy="Send it again.",
    )
