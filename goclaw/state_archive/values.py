"""A row as JSON and back: the same text whatever database it came from."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import models

from goclaw.state_archive.tables import NATURAL, OVERRIDES, Plan, Table, label

Read = Callable[[Any], Any]
Names = dict[str, dict[int, list[str]]]
"""For each of `NATURAL`, the names of its rows by their numbers."""


_READERS: dict[type, Read] = {
    models.DateTimeField: datetime.fromisoformat,
    models.UUIDField: UUID,
    models.BinaryField: base64.b64decode,
}


class Digest:
    """Adds up to one hash of all rows of a table, equal on every database."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.rows = 0

    def add(self, row: Sequence[Any]) -> None:
        """Add the next row."""
        text = json.dumps(_settled(row), ensure_ascii=False, sort_keys=True)
        self._hash.update(text.encode() + b"\n")
        self.rows += 1

    def hexdigest(self) -> str:
        """Return the hash so far."""
        return self._hash.hexdigest()


def columns(table: Table) -> list[str]:
    """Return the columns of a table, as they stand in the file."""
    return [field.attname for field in table._meta.concrete_fields]


def natural_names() -> Names:
    """Return the names of permissions and content types by their numbers here."""
    tables: tuple[Any, ...] = (Permission, ContentType)
    return {
        label(table): {row.pk: list(row.natural_key()) for row in table.objects.all()}
        for table in tables
    }


def rows(table: Table, plan: Plan, names: Names) -> Iterator[list[Any]]:
    """Yield the rows of a table by their numbers, as values for JSON."""
    writers = [_writer(field, table, plan, names) for field in _fields(table)]
    found = table._base_manager.order_by("pk").values_list(*columns(table))
    for row in found.iterator(chunk_size=500):
        yield [write(value) for write, value in zip(writers, row, strict=True)]


def readers(table: Table, given: Sequence[str], names: Names) -> list[Read]:
    """Return for each given column what makes the database's value of it."""
    by_name = {field.attname: field for field in _fields(table)}
    return [_reader(by_name[name], names) for name in given]


def _fields(table: Table) -> list[Any]:
    return list(table._meta.concrete_fields)


def _writer(field: Any, table: Table, plan: Plan, names: Names) -> Read:
    name = f"{label(table)}.{field.attname}"
    if name in plan.dropped:
        return lambda value: None
    overrides = OVERRIDES.get(label(table), {})
    if field.attname in overrides:
        return lambda value: overrides[field.attname]
    if target := _natural(field):
        known = names[target]
        return lambda value: None if value is None else known[value]
    if isinstance(field, models.JSONField):
        return lambda value: value
    return _plain


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return value


def _reader(field: Any, names: Names) -> Read:
    if target := _natural(field):
        known = {tuple(key): number for number, key in names[target].items()}
        return lambda value: None if value is None else known[tuple(value)]
    convert = _READERS.get(type(field), lambda value: value)
    return lambda value: None if value is None else convert(value)


def _natural(field: Any) -> str:
    if not isinstance(field, models.ForeignKey):
        return ""
    target = field.related_model
    name = target._meta.label_lower if isinstance(target, type) else ""
    return name if name in NATURAL else ""


def _settled(value: Any) -> Any:
    """Return a value in which equal numbers look the same: PostgreSQL keeps no 1e3."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _settled(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_settled(inner) for inner in value]
    return value
