"""`goclaw db`: the whole state as one file, to move it or to keep it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from goclaw.cli.local import management_command, project
from goclaw.cli.memory_admin import BackedUp
from goclaw.cli.output import (
    Json,
    Progress,
    Yes,
    confirm,
    facts,
    print_json,
    progress,
    say,
)

app = typer.Typer(
    help="Save the whole state to a file, and take it in elsewhere.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("export")
def export_state(
    output: Annotated[Path, typer.Option("--output", "-o", help="Such as x.gclaw.")],
    sessions: Annotated[
        bool, typer.Option("--sessions", help="Conversations and their archives.")
    ] = False,
    files: Annotated[
        bool, typer.Option("--files", help="Workspaces of the agents.")
    ] = False,
    attachments: Annotated[
        bool, typer.Option("--attachments", help="The bytes of uploaded files.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Save people, records, wiki and all that belongs to them to one file.

    The file is the same for every database. It holds everybody's personal records.

    \b
    Example:
      goclaw db export --output state.gclaw --sessions --files --attachments
    """
    with project(), progress("export") as move:
        from goclaw.state_archive.exporting import Wanted
        from goclaw.state_archive.exporting import export_state as export

        wanted = Wanted(sessions=sessions, files=files, attachments=attachments)
        manifest = export(output.absolute(), wanted, seen_by(move))
    _show(output, manifest, {}, as_json=as_json)


@app.command("import")
def import_state(
    file: Annotated[Path, typer.Argument(help="From `goclaw db export`.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace what is in the database.")
    ] = False,
    backed_up: BackedUp = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Take a state in, while the server is stopped: all of it, or nothing.

    Every table is compared with what was exported. Interrupted, it can be repeated.

    \b
    Examples:
      goclaw db import state.gclaw
      goclaw db import state.gclaw --force
    """
    if force:
        confirm("Replace everything in the database?", yes=yes)
    with project(), progress("import") as move:
        from goclaw.state_archive.importing import import_state as take_in

        done = take_in(
            file.absolute(), force=force, backed_up=backed_up, seen=seen_by(move)
        )
    copy = str(done.copy.path) if done.copy else None
    about = {"safety_copy": copy, "resumed": done.resumed}
    _show(file, done.manifest, about, as_json=as_json)
    if as_json:
        return
    if done.resumed:
        say("All of it was there already; nothing was changed.")
    if copy:
        say(f"What was there before is in {copy}.")


@app.command("make-tables", hidden=True)
def make_tables() -> None:
    """Make the tables in a new database, for `goclaw memory migrate`."""
    management_command("migrate", "--verbosity", "0")


def seen_by(move: Progress) -> Any:
    """Return what the work below tells of its progress, to a bar."""
    return lambda what, done, total: move(done, total, what)


def _show(file: Path, manifest: Any, more: dict[str, Any], *, as_json: bool) -> None:
    result = {
        "file": str(file),
        "bytes": file.stat().st_size,
        "rows": manifest.rows(),
        "files": len(manifest.files),
        "hashes": {part.name: part.sha256 for part in manifest.tables},
        **more,
    }
    if as_json:
        print_json(result)
        return
    facts(manifest.rows())
    say(f"{file}: {sum(manifest.rows().values()):,} rows, {result['files']} files.")
