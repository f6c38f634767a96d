"""Places as search cites them: `memory/2026-03-27.md#L3-L9`, `<id>#L1`. Pure."""

import re
import uuid
from dataclasses import dataclass

from goclaw.lib.errors import NotFound

_LINES = re.compile(r"#L(\d{1,9})(?:-L?(\d{1,9}))?$")


@dataclass(frozen=True, slots=True)
class Citation:
    """A record's id or a path, and the lines if the citation names some."""

    uid: uuid.UUID | None
    path: str
    start: int | None
    count: int | None


def parse(text: str) -> Citation:
    """Return what a citation, a bare path or a bare id stands for."""
    found = _LINES.search(text)
    place = text[: found.start()] if found else text
    start = count = None
    if found:
        start = max(1, int(found[1]))
        count = max(1, int(found[2] or start) - start + 1)
    return Citation(_uuid(place), place, start, count)


def record_id(text: str) -> uuid.UUID:
    """Return the id of a record, also from a citation; what is none is nowhere."""
    found = parse(text.strip())
    if found.uid is None:
        raise NotFound(
            "There is no such record.",
            field="id",
            remedy="Give the id of a result of memory_search.",
        )
    return found.uid


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text.strip())
    except ValueError:
        return None
