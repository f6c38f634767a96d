"""The `goclaw` command.

Nothing is imported here but Typer: Django, the HTTP client and the tables come with the
command that needs them, so that help and completion answer at once.
"""

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from goclaw.cli import db, keys, memory, users, wiki
from goclaw.cli.backups import backup, restore
from goclaw.cli.check import check
from goclaw.cli.failures import CommandFailed
from goclaw.cli.status import status

app = typer.Typer(
    name="goclaw",
    help="GoClaw Memory: memory and organisation wiki for AI agents.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command()
def up(
    demo: Annotated[
        bool, typer.Option("--demo", help="Load a sample organisation first.")
    ] = False,
) -> None:
    """Start web server and workers, and keep them running until Ctrl-C.

    \b
    Example:
      GOCLAW_PORT=9000 goclaw up
    """
    from goclaw import supervisor

    supervisor.main(demo=demo)


app.command()(status)
app.command()(backup)
app.command()(restore)
app.command()(check)
app.add_typer(memory.app, name="memory")
app.add_typer(wiki.app, name="wiki")
app.add_typer(keys.app, name="key")
app.add_typer(users.app, name="user")
app.add_typer(db.app, name="db")


def main(args: Sequence[str] | None = None) -> None:
    """Run a command and exit: a failure is a sentence, a remedy and a code."""
    given = list(sys.argv[1:] if args is None else args)
    try:
        app(args=given, prog_name="goclaw")
    except CommandFailed as failure:
        if "--json" in given:
            sys.stderr.write(json.dumps(failure.as_dict(), ensure_ascii=False) + "\n")
        else:
            sys.stderr.write(f"goclaw: {failure.message}\n")
            if failure.remedy:
                sys.stderr.write(f"{failure.remedy}\n")
        sys.exit(failure.exit_code)
