"""A text column that sorts by code point on every database."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

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
