"""Make writers of the same thing take turns until their transaction ends."""

import hashlib

from django.db import connection

_ALONE = "SELECT pg_advisory_xact_lock(%s)"
_SHARED = "SELECT pg_advisory_xact_lock_shared(%s)"

Name = tuple[object, ...]


def lock(*names: Name, shared: bool = False) -> None:
    """Hold a lock for each name until the running transaction ends.

    Who shares it waits only for those who want it alone. SQLite needs none: a write
    transaction is begun IMMEDIATE, so writers already take turns. PostgreSQL gets
    advisory locks, which serve their waiters in order; several are taken in one order,
    so that nobody waits in a ring.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for number in sorted({_number(name) for name in names}):
            cursor.execute(_SHARED if shared else _ALONE, [number])


def _number(name: Name) -> int:
    digest = hashlib.blake2b(repr(name).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
