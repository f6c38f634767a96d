"""Whether the server can do its work right now."""

from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connection

from memory.beats import silent_queues
from memory.search import model_state


@dataclass(frozen=True, slots=True)
class Readiness:
    """Each check with `ok` and a sentence; ready when all are."""

    checks: dict[str, dict[str, Any]]

    @property
    def ready(self) -> bool:
        """Say whether every check is fine."""
        return all(check["ok"] for check in self.checks.values())


def readiness() -> Readiness:
    """Check database, workers and embedding model."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        database = {"ok": True, "detail": connection.vendor}
        silent = silent_queues()
        workers = {
            "ok": not silent,
            "detail": f"silent: {', '.join(silent)}" if silent else "alive",
        }
    except DatabaseError as error:
        database = {"ok": False, "detail": type(error).__name__}
        workers = {"ok": False, "detail": "unknown without the database"}
    ok, detail = model_state()
    return Readiness(
        {
            "database": database,
            "workers": workers,
            "model": {"ok": ok, "detail": detail},
        }
    )
