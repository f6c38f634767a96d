"""Read the file of a state: what is in it, and that it is whole."""

import contextlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from goclaw.lib.errors import BadInput
from goclaw.state_archive.exporting import (
    FILES,
    FORMAT,
    MANIFEST,
    TABLES,
    VERSION,
    FilePart,
    Manifest,
    TablePart,
)

PLACES = ("workspace", "agents", "media")


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Give the open file and its contents; raises BadInput for what is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive, _manifest(archive)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise damaged(f"{path.name} cannot be read: {error}.") from error


def table_rows(archive: zipfile.ZipFile, part: TablePart) -> Iterator[list[Any]]:
    """Yield the rows of a table."""
    with archive.open(f"{TABLES}{part.name}.jsonl") as entry:
        for line in entry:
            yield json.loads(line)


def place_of(part: FilePart) -> PurePosixPath:
    """Return where a file belongs below the state directory; raises BadInput."""
    place = PurePosixPath(part.name)
    if place.is_absolute() or ".." in place.parts or place.parts[0] not in PLACES:
        raise damaged(f"The file {part.name!r} would lie outside its folders.")
    return place


def entry_of(part: FilePart) -> str:
    """Return the name of a file's entry."""
    return f"{FILES}{part.name}"


def damaged(message: str) -> BadInput:
    """Return the refusal of what is not, or not wholly, the file of a state."""
    return BadInput(
        message, code="damaged_backup", remedy="Make it anew with `goclaw db export`."
    )


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    about = json.loads(archive.read(MANIFEST))
    if about.get("format") != FORMAT:
        raise ValueError("its format is another one")
    if about.get("version") != VERSION:
        raise BadInput(
            f"This file has the version {about.get('version')!r}.",
            code="newer_format",
            remedy=f"Here version {VERSION} is understood.",
        )
    return Manifest(
        sessions=about["sessions"],
        tables=[TablePart(**part) for part in about["tables"]],
        files=[FilePart(**part) for part in about["files"]],
    )
