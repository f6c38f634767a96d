"""Rank first, then keep what the queryset permits, as if it had been the other way."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from memory.models.ids import id_subquery, packed
from memory.search.engines.base import Ranked

HEADROOM = 4
"""How many times more than asked for is ranked before the queryset has its say."""
HOPELESS = 0.5
"""Share of the wanted rows; who can expect fewer stops asking and ranks anew."""

Statement = tuple[str, tuple[Any, ...]]

_IDS = object()
"""Stands in a compiled statement where the ids asked about will be."""


class Permitted:
    """The chunks a search may see.

    It asks its queryset several times; compiling that anew would take longer than the
    answers.
    """

    def __init__(self, queryset: QuerySet[Any]) -> None:
        self._queryset = queryset.order_by()

    @cached_property
    def subquery(self) -> Statement | None:
        """Return SQL and parameters that select the ids; None if there can be none."""
        return _compiled(self._queryset)

    @cached_property
    def _asked(self) -> Statement | None:
        return _compiled(self._queryset.filter(pk__in=id_subquery(_IDS)))

    def among(self, ids: Iterable[int]) -> set[int]:
        """Return which of the ids are permitted."""
        rows = list(ids)
        if not rows or self._asked is None:
            return set()
        sql, params = self._asked
        return _ids(sql, [packed(rows) if p is _IDS else p for p in params])

    def all(self) -> set[int]:
        """Return every id that is permitted."""
        return _ids(*self.subquery) if self.subquery else set()


def _compiled(queryset: QuerySet[Any]) -> Statement | None:
    try:
        sql, params = queryset.values("pk").query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, tuple(params)


def _ids(sql: str, params: Sequence[Any]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return {row for (row,) in cursor.fetchall()}


def first_permitted(
    permitted: Permitted, ids: Sequence[int], limit: int
) -> list[int] | None:
    """Return the first `limit` of the ids that are permitted, or what there is.

    Asks block by block, as a row costs more to judge than to rank. Returns None when
    the ids go on but so few are permitted that there will not be enough.
    """
    found: list[int] = []
    at, size = 0, limit + limit // 2
    while at < len(ids) and len(found) < limit:
        block = ids[at : at + size]
        inside = permitted.among(block)
        found += [row for row in block if row in inside]
        at += len(block)
        if at < len(ids) and len(found) * len(ids) < HOPELESS * limit * at:
            return None
        size = max(limit // 4, (limit - len(found)) * at // max(len(found), 1))
    return found[:limit]


def best_permitted(
    permitted: Permitted,
    limit: int,
    ranked: Callable[[int], Ranked],
    filtered: Callable[[Statement], Ranked],
) -> Ranked:
    """Return the best `limit` rows that are permitted.

    Mostly enough of the best of all rows (`ranked`, of a size) are permitted. If not,
    `filtered` ranks within a subquery only: dearer for a wide one, cheap for a narrow
    one, and the same result.
    """
    size = HEADROOM * limit
    candidates = dict(ranked(size))
    found = first_permitted(permitted, list(candidates), limit)
    complete = len(candidates) < size
    if found is not None and (complete or len(found) >= limit):
        return [(row, candidates[row]) for row in found]
    return filtered(permitted.subquery) if permitted.subquery else []
