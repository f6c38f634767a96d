"""Put together what two people made of one text. Pure.

Three-way by lines: what only one side changed is taken from that side, what both
changed alike is taken once. Changes that overlap or touch are a conflict.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from goclaw.lib.matching import Budget, opcodes

_LINES = re.compile(r"[^\n]*\n|[^\n]+")

OURS = "<<<<<<< yours\n"
BETWEEN = "=======\n"
THEIRS = ">>>>>>> saved meanwhile\n"


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of the three texts; lines with their ends.

    `kind`: `same`, `ours` or `theirs` (one side changed it), `both` (alike), or
    `conflict`.
    """

    kind: str
    base: str
    ours: str
    theirs: str

    @property
    def merged(self) -> str:
        """Return what the merge takes; of a conflict both sides, between markers."""
        if self.kind == "conflict":
            sides = _ended(self.ours), _ended(self.theirs)
            return f"{OURS}{sides[0]}{BETWEEN}{sides[1]}{THEIRS}"
        return self.theirs if self.kind == "theirs" else self.ours


@dataclass(frozen=True, slots=True)
class Merge:
    """The outcome. `text` may be saved as it is when `clean`; else it has markers."""

    text: str
    clean: bool
    hunks: tuple[Hunk, ...]


def merge(base: str, ours: str, theirs: str) -> Merge:
    """Merge two descendants of `base`: `ours` is being saved, `theirs` already is."""
    hunks = tuple(_hunks(*(_LINES.findall(text) for text in (base, ours, theirs))))
    return Merge(
        text="".join(hunk.merged for hunk in hunks),
        clean=all(hunk.kind != "conflict" for hunk in hunks),
        hunks=hunks,
    )


@dataclass(slots=True)
class _Edit:
    """Lines a1:a2 of the base became lines b1:b2 of one side."""

    a1: int
    a2: int
    b1: int
    b2: int


def _hunks(base: list[str], ours: list[str], theirs: list[str]) -> Iterator[Hunk]:
    """Yield the stretches in order; together each side is all of its text."""
    edits = _edits(base, ours), _edits(base, theirs)
    at = [0, 0]  # edits used of each side
    shift = [0, 0]  # line of a side = line of the base + shift, between edits
    done = 0
    while at[0] < len(edits[0]) or at[1] < len(edits[1]):
        start, end, taken = _next_group(edits, at)
        if done < start:
            yield _same(base[done:start])
        spans = []
        for side in (0, 1):
            first = start + shift[side]
            if taken[side]:
                last_edit = edits[side][at[side] + taken[side] - 1]
                shift[side] = last_edit.b2 - last_edit.a2
            spans.append((first, end + shift[side]))
            at[side] += taken[side]
        yield _judged(
            "".join(base[start:end]),
            "".join(ours[slice(*spans[0])]),
            "".join(theirs[slice(*spans[1])]),
            taken,
        )
        done = end
    if done < len(base):
        yield _same(base[done:])


def _edits(base: list[str], side: list[str]) -> list[_Edit]:
    codes = opcodes(base, side, Budget())
    return [_Edit(*span) for op, *span in codes if op != "equal"]


def _next_group(
    edits: tuple[list[_Edit], list[_Edit]], at: list[int]
) -> tuple[int, int, list[int]]:
    """Return the lines of the base, and how many edits of each side, that touch."""
    start = min(side[n].a1 for side, n in zip(edits, at, strict=True) if n < len(side))
    end, taken, grew = start, [0, 0], True
    while grew:
        grew = False
        for side in (0, 1):
            n = at[side] + taken[side]
            if n < len(edits[side]) and edits[side][n].a1 <= end:
                end = max(end, edits[side][n].a2)
                taken[side] += 1
                grew = True
    return start, end, taken


def _judged(base: str, ours: str, theirs: str, taken: list[int]) -> Hunk:
    if ours == theirs:
        kind = "both"
    elif not taken[1]:
        kind = "ours"
    elif not taken[0]:
        kind = "theirs"
    else:
        kind = "conflict"
    return Hunk(kind, base, ours, theirs)


def _same(lines: list[str]) -> Hunk:
    text = "".join(lines)
    return Hunk("same", text, text, text)


def _ended(text: str) -> str:
    """End the last line, so that a marker can follow on a line of its own."""
    return text if not text or text.endswith("\n") else f"{text}\n"
