"""Ask for many rows by id without naming each id in the statement.

A list of a few hundred would cost more to put into a statement than to look up.
"""

import json
from collections.abc import Iterable

from django.db import connection
from django.db.models import BigIntegerField
from django.db.models.expressions import RawSQL


def ids_sql() -> str:
    """Return a subquery of the ids in its one parameter, which `packed` makes."""
    if connection.vendor == "postgresql":
        return "SELECT unnest(%s::bigint[])"
    return "SELECT value FROM json_each(%s)"


def packed(ids: Iterable[int]) -> str | list[int]:
    """Return the ids as the parameter of `ids_sql`."""
    rows = [int(row) for row in ids]
    return rows if connection.vendor == "postgresql" else json.dumps(rows)


def among(ids: Iterable[int]) -> RawSQL:
    """Return what to compare with `pk__in`."""
    return id_subquery(packed(ids))


def id_subquery(parameter: object) -> RawSQL:
    """Return a subquery of ids whose parameter is put in place by the caller."""
    return RawSQL(ids_sql(), [parameter], BigIntegerField())
