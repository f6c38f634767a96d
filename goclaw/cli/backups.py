"""`goclaw backup` and `goclaw restore`: copies of everything, made and put back."""

from pathlib import Path
from typing import Annotated

import typer

from goclaw.cli.local import project
from goclaw.cli.output import (
    DryRun,
    Json,
    Yes,
    confirm,
    note,
    print_json,
    progress,
    say,
)


def backup(
    to: Annotated[
        Path | None, typer.Option("--to", help="A folder; the state directory's own.")
    ] = None,
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, help="Delete older ones above that.")
    ] = None,
    credentials: Annotated[
        bool, typer.Option("--credentials", help="Signing key and local key as well.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Save database, uploads and workspaces to an archive, also while the server runs.

    \b
    Examples:
      goclaw backup
      goclaw backup --to /mnt/backups --keep 30
    """
    with project(), progress("files") as move:
        from memory.backups.archiving import make_backup

        made = make_backup(
            folder=to.absolute() if to else None,
            keep=keep,
            credentials=credentials,
            seen=lambda done, name: move(done, text=name),
        )
    if as_json:
        print_json(
            {
                "file": str(made.path),
                "bytes": made.size,
                "files": made.files,
                "database": made.has_database,
            }
        )
    else:
        say(f"{made.path}  files: {made.files}, {made.size / 1024:,.0f} KB")
    if not made.has_database:
        note(
            "The database is on a server, and not in this backup: save it with"
            " pg_dump, best right before."
        )


def restore(
    file: Annotated[
        Path, typer.Argument(help="From `goclaw backup`, or a copy gc_state_….sqlite.")
    ],
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of what is there, while the server is stopped.

    What is there now is saved as a backup first.

    \b
    Examples:
      goclaw restore ~/.goclaw/backups/goclaw_20261129T010000Z.tar.gz
      goclaw restore ~/.goclaw/backups/gc_state_20261129T093000Z.sqlite
    """
    with project():
        from memory.backups.restoring import restore as put_back

        if not dry_run:
            confirm(f"Replace everything by {file.name}?", yes=yes)
        done = put_back(file.absolute(), dry_run=dry_run)
    if as_json:
        before = str(done.before) if done.before else None
        print_json({"dry_run": dry_run, "restored": done.parts, "before": before})
    elif dry_run:
        say(f"{file} is whole; it has {', '.join(done.parts)}.")
    else:
        say(f"Put back: {', '.join(done.parts)}. What was there is in {done.before}.")
