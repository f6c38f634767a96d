"""The `goclaw` command."""

from typing import Annotated

import typer

app = typer.Typer(
    name="goclaw",
    help="GoClaw Memory: memory and organisation wiki for AI agents.",
    no_args_is_help=True,
)


@app.callback()
def goclaw() -> None:
    """Say what the command is about; Typer needs it while there is one subcommand."""


@app.command()
def up(
    demo: Annotated[
        bool, typer.Option("--demo", help="Load a sample organisation first.")
    ] = False,
) -> None:
    """Start web server and workers, and keep them running until Ctrl-C."""
    from goclaw import supervisor

    supervisor.main(demo=demo)
