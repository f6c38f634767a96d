"""The databases to measure on, each fresh and empty."""

import contextlib
import uuid
from collections.abc import Callable, Iterator

import psycopg

SQLITE, POSTGRESQL = "sqlite", "postgresql"
ENGINES = (SQLITE, POSTGRESQL)

Databases = Callable[[str], str]
"""Takes an engine's name and returns the URL of a new, empty database."""


@contextlib.contextmanager
def databases(*, with_postgresql: bool) -> Iterator[Databases]:
    """Yield the maker of databases; the PostgreSQL server lives until the end."""
    with contextlib.ExitStack() as stack:
        server_url = ""
        if with_postgresql:
            from tests.postgres_server import running_server

            server_url = stack.enter_context(running_server())

        def make(engine: str) -> str:
            return "" if engine == SQLITE else _new_database(server_url)

        yield make


def _new_database(server_url: str) -> str:
    """Make a database beside the one of the URL, and return its URL."""
    name = f"bench_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    address, question, options = server_url.partition("?")
    return f"{address.rpartition('/')[0]}/{name}{question}{options}"
