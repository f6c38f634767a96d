"""Pages of a list by keyset: stable while rows come and go, never an offset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from django.db.models import DateTimeField, Model, Q, QuerySet
from django.http import QueryDict

from goclaw.lib.errors import BadInput

Row = TypeVar("Row", bound=Model)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows, newest first, and the cursors of the pages around them."""

    rows: Sequence[Row]
    older: str
    """Cursor for `?older=`, empty on the last page."""
    newer: str
    """Cursor for `?newer=`, empty on the first page."""


def keyset_page(
    rows: QuerySet[Row],
    params: QueryDict,
    *,
    by: str = "created_at",
    size: int = PAGE_SIZE,
    oldest_first: bool = False,
) -> Page[Row]:
    """Return the page that `?older=` or `?newer=` asks for, else the newest rows.

    `by` names the time or the number that orders the list; the primary key breaks ties.
    A list with the oldest first begins at its other end, and is turned the other way.
    Raises BadInput for a cursor that this function did not make.
    """
    if oldest_first:
        return _from_the_oldest(rows, params, by, size)
    if cursor := params.get("newer"):
        rows = _beyond(rows, cursor, by, "gt")
        found = list(rows.order_by(by, "pk")[: size + 1])
        kept = found[:size][::-1]
        return _page(kept, by, older=True, newer=len(found) > size)
    cursor = params.get("older")
    if cursor:
        rows = _beyond(rows, cursor, by, "lt")
    found = list(rows.order_by(f"-{by}", "-pk")[: size + 1])
    return _page(found[:size], by, older=len(found) > size, newer=bool(cursor))


def _from_the_oldest(
    rows: QuerySet[Row], params: QueryDict, by: str, size: int
) -> Page[Row]:
    if cursor := params.get("older"):
        rows = _beyond(rows, cursor, by, "lt")
        found = list(rows.order_by(f"-{by}", "-pk")[: size + 1])
        kept = found[:size][::-1]
        return _ascending(kept, by, older=len(found) > size, newer=True)
    cursor = params.get("newer")
    if cursor:
        rows = _beyond(rows, cursor, by, "gt")
    found = list(rows.order_by(by, "pk")[: size + 1])
    return _ascending(found[:size], by, older=bool(cursor), newer=len(found) > size)


def _ascending(rows: list[Row], by: str, *, older: bool, newer: bool) -> Page[Row]:
    return Page(
        rows=rows,
        older=_cursor(rows[0], by) if rows and older else "",
        newer=_cursor(rows[-1], by) if rows and newer else "",
    )


def _page(rows: list[Row], by: str, *, older: bool, newer: bool) -> Page[Row]:
    return Page(
        rows=rows,
        older=_cursor(rows[-1], by) if rows and older else "",
        newer=_cursor(rows[0], by) if rows and newer else "",
    )


def _cursor(row: Model, by: str) -> str:
    value: int | datetime = getattr(row, by)
    if isinstance(value, datetime):
        value = (value - EPOCH) // timedelta(microseconds=1)
    return f"{value}-{row.pk}"


def _beyond(rows: QuerySet[Row], cursor: str, by: str, lookup: str) -> QuerySet[Row]:
    """Return the rows after the cursor; the plain bound is what an index can use."""
    number, _, key = cursor.partition("-")
    if not (number.isdecimal() and key.isdecimal()) or len(cursor) > 40:
        raise BadInput("This page marker is malformed.", remedy="Start at the top.")
    value: int | datetime = int(number)
    if isinstance(rows.model._meta.get_field(by), DateTimeField):
        try:
            value = EPOCH + timedelta(microseconds=int(number))
        except OverflowError as error:
            raise BadInput("This page marker is malformed.") from error
    further = Q(**{f"{by}__{lookup}": value})
    return rows.filter(
        further | Q(**{by: value, f"pk__{lookup}": int(key)}),
        **{f"{by}__{lookup}e": value},
    )
