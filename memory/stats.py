"""Counts of what an actor may read, and of the work that waits."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count

from accounts.actors import Actor
from memory import access, feedback
from memory.models import Job, Memory
from memory.scopes import IndexState


@dataclass(frozen=True, slots=True)
class Counts:
    """How many live records an actor may read, three ways."""

    by_state: Counter[str]
    by_scope: Counter[str]
    by_kind: Counter[str]

    @property
    def total(self) -> int:
        """Return the number of all."""
        return self.by_scope.total()


def count_records(actor: Actor) -> Counts:
    """Count the live records that the actor may read, in one pass over an index."""
    rows = (
        Memory.objects.readable_by(actor)
        .live()
        .order_by()
        .values_list("scope", "kind", "index_state")
        .annotate(n=Count("*"))
    )
    counts = Counts(Counter(), Counter(), Counter())
    for scope, kind, state, n in rows:
        counts.by_scope[scope] += n
        counts.by_kind[kind] += n
        counts.by_state[state] += n
    return counts


def stats(actor: Actor) -> dict[str, Any]:
    """Return counts of the live, readable records, of jobs, feedback and storage.

    The size of the database grows with everybody's records: it is null for who does
    not administrate.
    """
    may_weigh = access.can_administrate(actor)
    records = count_records(actor)
    jobs = Job.objects.readable_by(actor).order_by().values_list("state")
    return {
        "index": {state: records.by_state[state] for state in IndexState.values},
        "records": {
            "total": records.total,
            "by_scope": dict(records.by_scope),
            "by_kind": dict(records.by_kind),
        },
        "jobs": dict(jobs.annotate(n=Count("*"))),
        "feedback": feedback.count(actor),
        "storage": {
            "engine": connection.vendor,
            "database_bytes": database_bytes() if may_weigh else None,
        },
    }


def database_bytes() -> int:
    """Return what the database takes on disk."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            )
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        row = cursor.fetchone()
    return int(row[0])
