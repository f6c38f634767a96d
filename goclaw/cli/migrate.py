"""`goclaw memory migrate`: everything into another database."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from goclaw.cli.db import seen_by
from goclaw.cli.failures import CommandFailed, Exit
from goclaw.cli.local import project
from goclaw.cli.output import Json, Yes, confirm, facts, print_json, progress, say


def migrate(
    to: Annotated[str, typer.Option("--to", help="postgres://… or sqlite:///…")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace what is in the other database.")
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Move everything to another database, while the server is stopped.

    Counts and hashes of all tables are compared. The database it comes from is left as
    it was; files stay where they are.

    \b
    Example:
      goclaw memory migrate --to postgres://goclaw:secret@db.example.org:5432/goclaw
    """
    where = to.rpartition("@")[2]
    confirm(f"Copy everything to {where}?", yes=yes)
    with project(), progress("export") as move:
        from django.conf import settings

        from goclaw.state_archive.exporting import Wanted, export_state
        from memory.backups.copying import database_file, safety_copy
        from memory.backups.restoring import server_stopped

        folder = Path(settings.GOCLAW_STATE_DIR) / "run"
        with tempfile.TemporaryDirectory(prefix="migrate-", dir=folder) as name:
            file = Path(name) / "state.gclaw"
            with server_stopped():
                copy = safety_copy(backed_up=database_file() is None)
                manifest = export_state(file, Wanted(sessions=True), seen_by(move))
            arrived = _import(file, to, force=force)
    left = {part.name: part.sha256 for part in manifest.tables}
    if arrived["hashes"] != left:
        raise CommandFailed("What arrived is not what left; the source is as it was.")
    result = {"to": where, "rows": manifest.rows(), "verified": len(left)}
    result["safety_copy"] = str(copy.path) if copy else None
    if as_json:
        print_json(result)
        return
    facts(manifest.rows())
    say(f"All {len(left)} tables are in {where}, with the same rows and hashes.")
    say("Start the server with GOCLAW_DATABASE_URL set to it; vectors are made anew.")


def _import(file: Path, to: str, *, force: bool) -> Any:
    """Have another process, on the other database, make the tables and import."""
    environment = os.environ | {"GOCLAW_DATABASE_URL": to}
    _run(["-m", "goclaw", "db", "make-tables"], environment)
    options = ["--yes", "--json", *(["--force", "--backed-up"] if force else [])]
    command = ["-m", "goclaw", "db", "import", str(file), *options]
    return json.loads(_run(command, environment))


def _run(arguments: list[str], environment: dict[str, str]) -> str:
    """Run a command of ours; its progress and errors go where ours go."""
    ran = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, *arguments], env=environment, stdout=subprocess.PIPE, text=True
    )
    if ran.returncode:
        known = ran.returncode in set(Exit)
        raise CommandFailed(
            "The other database did not take it; the source is as it was.",
            exit_code=Exit(ran.returncode) if known else Exit.FAILED,
            remedy="The reason is above.",
        )
    return ran.stdout
