"""Plain statements, for what every request or search asks.

Building one by the ORM takes about ten times as long as the database takes to answer.
"""

from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Model
from psycopg import Cursor
from psycopg.pq import Format

M = TypeVar("M", bound=Model)


def rows(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    """Return all rows of a statement."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def prepared(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    """Return all rows of a statement that is best done in one way for any parameters.

    PostgreSQL plans it once a connection instead of each time, and answers in its own
    binary form: both matter where a search reads hundreds of rows by their ids.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Django's cursor writes parameters into the text: nothing to plan ahead.
            cursor.cursor = Cursor(cursor.connection)
            cursor.cursor.format = Format.BINARY
        cursor.execute(sql, params)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def first(model: type[M], condition: str, *params: Any) -> M | None:
    """Return the first object for which what stands after WHERE is true, or None."""
    table = model._meta.db_table
    found = model._default_manager.raw(
        f"SELECT * FROM {table} WHERE {condition} LIMIT 1", params
    )
    return next(iter(found), None)


def moment(value: datetime) -> Any:
    """Return a time as the parameter of a statement."""
    return connection.ops.adapt_datetimefield_value(value)


def as_uuid(value: Any) -> UUID:
    """Return an id of a row, which SQLite keeps as text and PostgreSQL as itself."""
    return value if isinstance(value, UUID) else UUID(value)
