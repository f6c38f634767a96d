"""Make writers of the same thing take turns until their transaction ends."""

import hashlib

from django.db import connection


def lock(*names: object) -> None:
    """Hold a lock of this name until the running transaction ends.

    SQLite needs none: a write transaction is begun IMMEDIATE, so writers already take
    turns. PostgreSQL gets an advisory lock.
    """
    if connection.vendor != "postgresql":
        return
    digest = hashlib.blake2b(repr(names).encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
