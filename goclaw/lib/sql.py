"""Plain statements, for what every request or search asks.

Building one by the ORM takes about ten times as long as the database takes to answer.
"""

from typing import Any

from django.db import connection


def rows(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    """Return all rows of a statement."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
