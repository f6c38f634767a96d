"""Diffs as pages show them: their changes counted, to go from one to the next."""

from collections.abc import Sequence
from dataclasses import dataclass

from goclaw.lib.diffs import Line, Row

_CHANGES = frozenset({"changed", "added", "removed"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A row or line of a diff; `change` counts the stretches that changed, from 1.

    It is set in the first row of each stretch, 0 in all others.
    """

    row: Row | Line
    change: int = 0


def numbered(rows: Sequence[Row | Line], *, start: int = 0) -> list[Shown]:
    """Return the rows, with the number of each stretch at its beginning.

    `start` stretches came before, where a page has several diffs.
    """
    found: list[Shown] = []
    count, inside = start, False
    for row in rows:
        is_change = row.op in _CHANGES
        starts = is_change and not inside
        count += starts
        found.append(Shown(row, count if starts else 0))
        inside = is_change
    return found
