"""A text column that sorts by code point on every database, and sets of its values."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import RawSQL

if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
else:  # generic for the type checker only
    _CharField = models.CharField


class KeyField(_CharField):
    """Folded text whose ranges are asked for, such as all slugs below a section.

    PostgreSQL's usual collations skip punctuation; SQLite sorts by code point anyway.
    """

    def db_parameters(self, connection: BaseDatabaseWrapper) -> dict[str, Any]:
        """Return the column's parameters, with the collation on PostgreSQL."""
        found: dict[str, Any] = dict(super().db_parameters(connection))
        if connection.vendor == "postgresql":
            found["collation"] = "C"
        return found


def among_keys(keys: Iterable[str]) -> RawSQL:
    """Return what to compare a key with by `__in`: all in one parameter.

    The keys of a whole section would be too many to name each in the statement.
    """
    rows = list(keys)
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::text[])", [rows], models.TextField())
    values = "SELECT value FROM json_each(%s)"
    return RawSQL(values, [json.dumps(rows)], models.TextField())
