"""Counts that the processes of this machine share, each for one period at a time.

In a small database of its own: a limit must hold whichever process answers, and the
count is worth neither a write to the real database nor a wait for the disk.
"""

import sqlite3
import threading
from pathlib import Path

_TABLE = (
    "CREATE TABLE IF NOT EXISTS counts"
    " (name TEXT PRIMARY KEY, period INTEGER NOT NULL, count INTEGER NOT NULL)"
)
_ADD = (
    "INSERT INTO counts VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET"
    " count = CASE period WHEN excluded.period THEN count + 1 ELSE 1 END,"
    " period = excluded.period RETURNING count"
)
_WAIT_S = 5.0


class Counters:
    """Counts by name; threads and processes may share the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()

    def add(self, name: str, period: int) -> int:
        """Add one to the name's count in the period, and return it.

        Only one period is remembered of each name.
        """
        ((count,),) = self._connection().execute(_ADD, (name, period)).fetchall()
        return int(count)

    def _connection(self) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if known is None:
            known = sqlite3.connect(self._path, timeout=_WAIT_S, isolation_level=None)
            known.execute("PRAGMA journal_mode = WAL")
            known.execute("PRAGMA synchronous = OFF")
            known.execute(_TABLE)
            self._local.connection = known
        return known
