"""Which bytes of a file a request wants. Pure; RFC 9110, sections 13 and 14."""

import re
from dataclasses import dataclass

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclass(frozen=True, slots=True)
class Span:
    """The bytes [start, end)."""

    start: int
    end: int


def wanted(header: str, size: int) -> Span | None:
    """Return the bytes a `Range` header asks for, None for all of them.

    Several ranges, and what is malformed, mean all. Raises ValueError for a range that
    lies outside of the file.
    """
    found = _RANGE.fullmatch(header.replace(" ", ""))
    if not found or not (found[1] or found[2]):
        return None
    if not found[1]:
        count = int(found[2])
        if not count or not size:
            raise ValueError
        return Span(max(0, size - count), size)
    start = int(found[1])
    end = min(size, int(found[2]) + 1) if found[2] else size
    if found[2] and int(found[2]) < start:
        return None
    if start >= size:
        raise ValueError
    return Span(start, end)


def matches(header: str, etag: str) -> bool:
    """Say whether `If-None-Match` names the tag."""
    tags = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return "*" in tags or etag in tags
