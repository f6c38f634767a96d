"""The `goclaw` command."""

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
def up() -> None:
    """Start web server and workers, and keep them running until Ctrl-C."""
    from goclaw import supervisor

    supervisor.main()
