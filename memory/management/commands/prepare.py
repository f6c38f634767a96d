"""Make everything ready for the server to start; quick when it already is."""

import hashlib
from argparse import ArgumentParser
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from memory import entries, reindexing


class Command(BaseCommand):
    """What `goclaw up` does first: tables, static files, administrator, sample data."""

    help = "Migrate, collect static files, and make the first administrator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the wish for sample data."""
        parser.add_argument("--demo", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is missing, in the order in which it is needed."""
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Updating the database ...")
            call_command("migrate", interactive=False, verbosity=0)
        self._collect_static()
        call_command("bootstrap")
        # Whatever waits since the last stop, and the vectors of a newly chosen model.
        entries.queue_vectors()
        reindexing.follow_settings()
        if options["demo"]:
            call_command("demo")

    def _collect_static(self) -> None:
        stamp = Path(settings.STATIC_ROOT) / ".stamp"
        wanted = _static_fingerprint()
        if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
            return
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        stamp.write_text(wanted, encoding="ascii")


def _static_fingerprint() -> str:
    """Return a text that changes with our static files and with those of packages."""
    digest = hashlib.sha256()
    for folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                state = path.stat()
                digest.update(f"{path}{state.st_size}{state.st_mtime_ns}".encode())
    for package in sorted(f"{d.name}{d.version}" for d in distributions()):
        digest.update(package.encode())
    return digest.hexdigest()
