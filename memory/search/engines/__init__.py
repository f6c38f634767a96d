"""The search engine of the database in use."""

from functools import cache

from django.db import connection

from memory.search.engines.base import Engine, Ranked, Statistics

__all__ = ["Engine", "Ranked", "Statistics", "get_engine"]


def get_engine() -> Engine:
    """Return the engine of the default database."""
    return _engine(connection.vendor)


@cache
def _engine(vendor: str) -> Engine:
    if vendor == "postgresql":
        from memory.search.engines.postgres import PostgresEngine

        return PostgresEngine()
    if vendor == "sqlite":
        from memory.search.engines.sqlite import SqliteEngine

        return SqliteEngine()
    raise NotImplementedError(f"there is no search engine for {vendor}")
