"""Turn a database URL into Django's `DATABASES` entry."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from goclaw.lib.env import BadSetting

SCHEMES = {"sqlite", "postgres", "postgresql"}
POSTGRES_SETTINGS = {
    # How widely pgvector's index is searched; beyond it the scan goes on.
    "hnsw.ef_search": 240,
    "hnsw.iterative_scan": "relaxed_order",
    # Compiling a statement takes longer than any of ours.
    "jit": "off",
}
"""What each connection asks of the server; `?options=` in the URL overrides it."""
PREPARED_AFTER = 2
"""From its third time on a connection keeps the plan of a statement (lib/sql)."""


def database_entry(
    url: str, *, synchronous: str, max_age: int | None
) -> dict[str, Any]:
    """Return the settings of `sqlite:///path` or `postgres://user:pw@host/name`.

    `synchronous` is SQLite's durability (`NORMAL` or `FULL`); `max_age` is how long a
    thread keeps its connection, None for always.
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise BadSetting(
            "GOCLAW_DATABASE_URL must start with sqlite:// or postgres://,"
            f" not {parts.scheme or url!r}"
        )
    if parts.scheme == "sqlite":
        return _sqlite(Path(unquote(parts.path)), synchronous, max_age)
    options: dict[str, Any] = {"prepare_threshold": PREPARED_AFTER}
    options |= dict(parse_qsl(parts.query))
    settings = [f"-c {name}={value}" for name, value in POSTGRES_SETTINGS.items()]
    options["options"] = " ".join([*settings, options.get("options", "")]).strip()
    host = options.pop("host", parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": max_age,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def _sqlite(path: Path, synchronous: str, max_age: int | None) -> dict[str, Any]:
    # No mmap_size: SQLite before 3.51.3 has a rare write-ahead-log bug that memory
    # mapping makes worse. IMMEDIATE: a transaction that will write takes its turn at
    # the start, instead of failing half way with "database is locked".
    pragmas = {
        "journal_mode": "WAL",
        "synchronous": synchronous,
        "foreign_keys": "ON",
        "temp_store": "MEMORY",
        "cache_size": "-16384",
    }
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "CONN_MAX_AGE": max_age,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "".join(f"PRAGMA {k}={v};" for k, v in pragmas.items()),
        },
    }
