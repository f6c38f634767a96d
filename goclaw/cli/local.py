"""Commands that open the database themselves, where the server's files are."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from goclaw.cli.failures import CommandFailed, Exit, refused


@contextmanager
def project() -> Iterator[None]:
    """Load Django; our own refusals inside become failures of the command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    import django
    from django.db import DatabaseError

    from goclaw.lib.env import BadSetting
    from goclaw.lib.errors import GoClawError

    try:
        django.setup()
    except BadSetting as error:
        raise CommandFailed(str(error), exit_code=Exit.BAD_INPUT) from None
    try:
        yield
    except GoClawError as error:
        raise refused(error.status, error.as_dict()) from None
    except OSError as error:
        what = error.filename or "what is needed"
        raise CommandFailed(f"Cannot use {what}: {error.strerror or error}.") from None
    except DatabaseError as error:
        raise CommandFailed(
            f"The database refused: {str(error).strip()}",
            remedy="Is GOCLAW_DATABASE_URL right, and has the server run once?",
            code="database",
        ) from None


def management_command(name: str, *arguments: Any) -> None:
    """Run one of the project's management commands."""
    with project():
        from django.core.management import CommandError, call_command

        try:
            call_command(name, *arguments)
        except CommandError as error:
            code = Exit(error.returncode)
            raise CommandFailed(str(error), exit_code=code) from None
