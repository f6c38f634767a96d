"""Counts of what an actor may read, and of the work that waits."""

from typing import Any

from django.db import connection
from django.db.models import Count, Max

from accounts.actors import Actor
from memory.models import Job, Memory
from memory.scopes import IndexState


def stats(actor: Actor) -> dict[str, Any]:
    """Return `{index, records, jobs, storage}`; records are the live, readable ones."""
    live = Memory.objects.readable_by(actor).live()
    return {
        "index": _counted(live, "index_state", list(IndexState.values)),
        "records": {
            "total": live.count(),
            "by_scope": _counted(live, "scope"),
            "by_kind": _counted(live, "kind"),
            "newest": live.aggregate(newest=Max("created_at"))["newest"],
        },
        "jobs": _counted(Job.objects.readable_by(actor), "state"),
        "storage": {
            "engine": connection.vendor,
            "database_bytes": database_bytes(),
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


def _counted(rows: Any, field: str, always: list[str] | None = None) -> dict[str, int]:
    counts = dict.fromkeys(always or [], 0)
    found = rows.order_by().values_list(field).annotate(n=Count("pk"))
    return counts | dict(found)
