"""`goclaw memory export` and `import`: the shared notes of agents as one file."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from goclaw.cli.client import Api
from goclaw.cli.failures import CommandFailed, Exit
from goclaw.cli.memory_admin import BackedUp
from goclaw.cli.output import (
    DryRun,
    Json,
    Progress,
    Yes,
    confirm,
    facts,
    note,
    print_json,
    progress,
    say,
)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `goclaw memory`."""
    app.command("export")(export_catalogue)
    app.command("import")(import_catalogue)


def export_catalogue(
    file: Annotated[
        str, typer.Option("--file", "-f", help="Where to; - is standard output.")
    ] = "-",
    as_json: Json = False,
) -> None:
    """Save agent_notes and agent_config as lines of JSON, always in the same order.

    \b
    Examples:
      goclaw memory export --file catalogue.jsonl
      goclaw memory export | gzip > catalogue.jsonl.gz
    """
    parts = Api().download("/memory/export")
    if file == "-":
        for part in parts:
            sys.stdout.buffer.write(part)
        return
    with progress("records") as move:
        lines = save(parts, Path(file), move)
    result = {"file": file, "records": lines - 1}
    if as_json:
        print_json(result)
    else:
        say(f"Saved {result['records']} records to {file}.")


def save(parts: Iterator[bytes], file: Path, move: Progress) -> int:
    """Write what comes to a file, which is complete or not there; return its lines."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.part")
    lines = 0
    try:
        with draft.open("wb") as target:
            for part in parts:
                target.write(part)
                lines += part.count(b"\n")
                move(lines)
        draft.replace(file)
    except OSError as error:
        raise CommandFailed(f"Cannot write {file}: {error.strerror}.") from None
    finally:
        draft.unlink(missing_ok=True)
    return lines


def import_catalogue(
    file: Annotated[
        str, typer.Option("--file", "-f", help="Where from; - is standard input.")
    ] = "-",
    backed_up: BackedUp = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take an export in: what is there stays once, what differs is updated.

    A copy of the database is made first.

    \b
    Examples:
      goclaw memory import --file catalogue.jsonl --dry-run
      goclaw memory import --file catalogue.jsonl
    """
    api = Api()
    if file != "-" and not yes and not dry_run:
        expected = _send(api, file, dry_run=True)
        facts(expected["counts"])
        confirm("Import this?", yes=yes)
    elif file == "-" and not dry_run:
        confirm("Import what comes from standard input?", yes=yes)
    answer = _send(api, file, dry_run=dry_run, backed_up=backed_up)
    if as_json:
        print_json(answer)
    else:
        facts(answer["counts"])
        for refusal in answer["refused"]:
            note(f"Line {refusal['line']}: {refusal['error']['message']}")
        if answer["safety_copy"]:
            say(f"What was there before is in {answer['safety_copy']}.")
    if answer["counts"]["refused"]:
        raise CommandFailed(
            f"{answer['counts']['refused']} lines were refused.",
            remedy="The other lines are imported; mend these and import again.",
        )


def _send(api: Api, file: str, **params: Any) -> Any:
    try:
        with _opened(file) as source, progress("lines") as move:
            size = source.seek(0, os.SEEK_END)
            source.seek(0)
            lines = _counted(source, move)
            return api.send_lines("/memory/import", lines, size=size, **params)
    except OSError as error:
        raise CommandFailed(
            f"Cannot read {file}: {error.strerror}.", exit_code=Exit.BAD_INPUT
        ) from None


def _opened(file: str) -> IO[bytes]:
    """Open a file; what comes from a pipe is kept in one first, to know its size."""
    if file != "-":
        return Path(file).open("rb")
    kept = tempfile.TemporaryFile()  # noqa: SIM115  (the caller closes it)
    shutil.copyfileobj(sys.stdin.buffer, kept)
    return kept


def _counted(source: Iterable[bytes], move: Progress) -> Iterator[bytes]:
    for number, line in enumerate(source, start=1):
        move(number)
        yield line
