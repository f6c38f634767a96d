"""Pages of a list by keyset: stable while rows come and go, never an offset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from django.db.models import Model, Q, QuerySet
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
) -> Page[Row]:
    """Return the page that `?older=` or `?newer=` asks for, else the newest rows.

    `by` names the time that orders the list; the primary key breaks ties.
    Raises BadInput for a cursor that this function did not make.
    """
    if cursor := params.get("newer"):
        found = list(
            rows.filter(_beyond(cursor, by, "gt")).order_by(by, "pk")[: size + 1]
        )
        kept = found[:size][::-1]
        return _page(kept, by, older=True, newer=len(found) > size)
    cursor = params.get("older")
    if cursor:
        rows = rows.filter(_beyond(cursor, by, "lt"))
    found = list(rows.order_by(f"-{by}", "-pk")[: size + 1])
    return _page(found[:size], by, older=len(found) > size, newer=bool(cursor))


def _page(rows: list[Row], by: str, *, older: bool, newer: bool) -> Page[Row]:
    return Page(
        rows=rows,
        older=_cursor(rows[-1], by) if rows and older else "",
        newer=_cursor(rows[0], by) if rows and newer else "",
    )


def _cursor(row: Model, by: str) -> str:
    micros = (getattr(row, by) - EPOCH) // timedelta(microseconds=1)
    return f"{micros}-{row.pk}"


def _beyond(cursor: str, by: str, lookup: str) -> Q:
    micros, _, key = cursor.partition("-")
    if not (micros.isdecimal() and key.isdecimal()) or len(cursor) > 40:
        raise BadInput("This page marker is malformed.", remedy="Start at the top.")
    try:
        moment = EPOCH + timedelta(microseconds=int(micros))
    except OverflowError as error:
        raise BadInput("This page marker is malformed.") from error
    return Q(**{f"{by}__{lookup}": moment}) | Q(
        **{by: moment, f"pk__{lookup}": int(key)}
    )
