"""Which tables are in the file, and what is made anew instead."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session as BrowserSession
from django.db.models import ForeignKey, Model
from django_q.models import OrmQ

Table = type[Model]

APPS = ("accounts", "memory", "wiki")
DERIVED = frozenset(
    {
        "memory.chunk",
        "memory.embedding",
        "memory.embeddingmodel",
        "memory.indexrecipe",
        "memory.messageword",
        "memory.messagevector",
        "wiki.renderedrevision",
    }
)
"""Made anew from the other tables."""
PASSING = frozenset(
    {
        "accounts.attemptwindow",
        "accounts.signinlink",
        "memory.idempotentanswer",
        "memory.job",
        "memory.workerbeat",
    }
)
"""Of no worth on another machine, or in an hour."""
SESSIONS = frozenset(
    {
        "memory.session",
        "memory.session_participants",
        "memory.message",
        "memory.trimmedmessage",
    }
)
"""Only in the file when asked for."""
FIRST_START = frozenset(
    {
        "accounts.apikey",
        "accounts.auditentry",
        "accounts.user",
        "auth.group",
        "memory.agent",
        "memory.space",
        "memory.spacegrouppermission",
        "memory.spaceuserpermission",
    }
)
"""Where rows are made before anybody has used the server."""
NATURAL = frozenset({"auth.permission", "contenttypes.contenttype"})
"""Rows that each database numbers for itself; referred to by their names."""
OVERRIDES: dict[str, dict[str, Any]] = {
    "memory.memory": {"index_state": "pending", "index_error": ""}
}
"""Columns that say how far the derived tables are: nothing of them is there yet."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The tables of a file, and the references that lead to none of them."""

    tables: list[Table]
    dropped: frozenset[str]
    """`app.model.column` of references that become null."""


def label(table: Table) -> str:
    """Return the name of a table in the file."""
    return table._meta.label_lower


def all_tables() -> Iterator[Table]:
    """Yield every table of ours, those between two tables included."""
    for name in APPS:
        yield from apps.get_app_config(name).get_models(include_auto_created=True)
    yield Group
    yield Group.permissions.through


def emptied() -> list[Table]:
    """Return what an import empties: also what points at rows that go."""
    return [*all_tables(), LogEntry, BrowserSession, OrmQ]


def plan(*, sessions: bool) -> Plan:
    """Return the tables to write, and which of their references lead out of them.

    A row that cannot be without one that is left out is left out itself.
    """
    left_out = DERIVED | PASSING | (frozenset() if sessions else SESSIONS)
    tables = {label(t): t for t in all_tables() if label(t) not in left_out}
    while homeless := [
        name
        for name, table in tables.items()
        if any(
            not field.null and _target(field) not in tables.keys() | NATURAL
            for field in references(table)
        )
    ]:
        for name in homeless:
            del tables[name]
    dropped = {
        f"{name}.{field.attname}"
        for name, table in tables.items()
        for field in references(table)
        if _target(field) not in tables.keys() | NATURAL
    }
    return Plan(list(tables.values()), frozenset(dropped))


def references(table: Table) -> list[ForeignKey[Any, Any]]:
    """Return the foreign keys of a table."""
    return [f for f in table._meta.concrete_fields if isinstance(f, ForeignKey)]


def _target(field: ForeignKey[Any, Any]) -> str:
    target = field.related_model
    assert isinstance(target, type)  # noqa: S101  (all models are loaded)
    return target._meta.label_lower
