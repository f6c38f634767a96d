"""Ask for many rows by id without naming each id in the statement."""

import json
from collections.abc import Iterable

from django.db import connection
from django.db.models import BigIntegerField
from django.db.models.expressions import RawSQL


def among(ids: Iterable[int]) -> RawSQL:
    """Return what to compare with `pk__in`: all ids in one parameter.

    A list of a few hundred would cost more to put into a statement than to look up.
    """
    rows = [int(row) for row in ids]
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::bigint[])", [rows], BigIntegerField())
    values = "SELECT value FROM json_each(%s)"
    return RawSQL(values, [json.dumps(rows)], BigIntegerField())
