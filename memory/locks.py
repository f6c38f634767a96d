"""Make writers of the same thing take turns until their transaction ends."""

import hashlib

from django.db import connection

_ALONE = "SELECT pg_advisory_xact_lock(%s)"
_SHARED = "SELECT pg_advisory_xact_lock_shared(%s)"


def lock(*names: object, shared: bool = False) -> None:
    """Hold a lock of this name until the running transaction ends.

    Who shares it waits only for those who want it alone. SQLite needs none: a write
    transaction is begun IMMEDIATE, so writers already take turns. PostgreSQL gets an
    advisory lock, which serves its waiters in order.
    """
    if connection.vendor != "postgresql":
        return
    digest = hashlib.blake2b(repr(names).encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute(_SHARED if shared else _ALONE, [number])
