"""Rank first, then keep what the queryset permits, as if it had been the other way."""

from collections.abc import Callable, Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet

from memory.models.ids import among
from memory.search.engines.base import Ranked, Rows

HEADROOM = 4
"""How many times more than asked for is ranked before the queryset has its say."""
HOPELESS = 0.5
"""Share of the wanted rows; who can expect fewer stops asking and ranks anew."""


def permitted_ids(queryset: Rows, ids: Sequence[int]) -> set[int]:
    """Return which of the ids are in the queryset."""
    if not ids:
        return set()
    inside = queryset.order_by().filter(pk__in=among(ids))
    return set(inside.values_list("pk", flat=True))


def first_permitted(queryset: Rows, ids: Sequence[int], limit: int) -> list[int] | None:
    """Return the first `limit` of the ids that are in the queryset, or what there is.

    Asks block by block, as a row costs more to judge than to rank. Returns None when
    the ids go on but so few are permitted that there will not be enough.
    """
    found: list[int] = []
    at, size = 0, limit + limit // 2
    while at < len(ids) and len(found) < limit:
        block = ids[at : at + size]
        permitted = permitted_ids(queryset, block)
        found += [row for row in block if row in permitted]
        at += len(block)
        if at < len(ids) and len(found) * len(ids) < HOPELESS * limit * at:
            return None
        size = max(limit // 4, (limit - len(found)) * at // max(len(found), 1))
    return found[:limit]


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
    candidates = dict(ranked(size))
    found = first_permitted(queryset, list(candidates), limit)
    complete = len(candidates) < size
    if found is not None and (complete or len(found) >= limit):
        return [(row, candidates[row]) for row in found]
    try:
        return filtered()
    except EmptyResultSet:
        return []
