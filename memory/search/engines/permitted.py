"""Rank first, then keep what the queryset permits, as if it had been the other way."""

from collections.abc import Callable, Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet

from memory.search.engines.base import Ranked, Rows

HEADROOM = 4
"""How many times more than asked for is ranked before the queryset has its say."""


def permitted_ids(queryset: Rows, ids: Sequence[int]) -> set[int]:
    """Return which of the ids are in the queryset."""
    if not ids:
        return set()
    return set(queryset.order_by().filter(pk__in=ids).values_list("pk", flat=True))


def as_subquery(queryset: Rows) -> tuple[str, tuple[Any, ...]]:
    """Return SQL and parameters that select the ids of the queryset.

    Raises EmptyResultSet for one that cannot have rows.
    """
    sql, params = queryset.order_by().values("pk").query.sql_with_params()
    return sql, tuple(params)


def best_permitted(
    queryset: Rows,
    limit: int,
    ranked: Callable[[int], Ranked],
    filtered: Callable[[], Ranked],
) -> Ranked:
    """Return the best `limit` rows of the queryset.

    Mostly enough of the best of all rows (`ranked`, of a size) are permitted. If not,
    `filtered` ranks within the queryset only: dearer for a wide one, cheap for a narrow
    one, and the same result.
    """
    size = HEADROOM * limit
    candidates = ranked(size)
    permitted = permitted_ids(queryset, [row for row, _ in candidates])
    found = [(row, score) for row, score in candidates if row in permitted]
    if len(found) < limit and len(candidates) >= size:
        try:
            found = filtered()
        except EmptyResultSet:
            return []
    return found[:limit]
