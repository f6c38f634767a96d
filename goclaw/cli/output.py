"""What commands print: tables for people, JSON for programs, and questions."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from goclaw.cli.failures import CommandFailed, Exit

if TYPE_CHECKING:
    from rich.console import Console

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Change nothing, say what would happen.")
]

Row = dict[str, Any]

_WIDE = 1_000
"""Columns of a line that no terminal breaks."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(value: Any) -> str:
    """Return a value as text without the characters that steer a terminal."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(clean(part) for part in value)
    return _CONTROLS.sub("", str(value))


def say(text: str = "") -> None:
    """Print a line for people."""
    sys.stdout.write(f"{clean(text)}\n")


def note(text: str) -> None:
    """Print a line beside the output, which a pipe does not get."""
    sys.stderr.write(f"{clean(text)}\n")


def print_json(value: Any) -> None:
    """Print a value for programs."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
    """Print rows as a table; `columns` has the heading of each name."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in columns.values():
        shown.add_column(heading, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(clean(row.get(name))) for name in columns))
    console().print(shown)


def listing(
    found: Sequence[Row],
    columns: Mapping[str, str],
    *,
    as_json: bool,
    shown: Callable[[Row], Row] = dict,
) -> None:
    """Print a list as JSON, or as a table; `shown` makes a row of it for people."""
    if as_json:
        print_json(found)
    else:
        table([shown(row) for row in found], columns)


def minute(moment: str) -> str:
    """Return a moment as the API writes it, to the minute."""
    return moment[:16].replace("T", " ")


def facts(values: Mapping[str, Any]) -> None:
    """Print names with their values, one a line."""
    from rich.table import Table
    from rich.text import Text

    shown = Table.grid(padding=(0, 2))
    for name, value in values.items():
        shown.add_row(Text(name), Text(clean(value)))
    console().print(shown)


def console() -> "Console":
    """Return what draws tables: as wide as the terminal, or as the table in a pipe."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _WIDE
    return Console(markup=False, highlight=False, emoji=False, width=width)


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something is destroyed; raises CommandFailed unless it is a yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandFailed(
            f"{question} Nobody is there to answer.",
            exit_code=Exit.BAD_INPUT,
            remedy="Add --yes, or --dry-run to see what would happen.",
        )
    if not typer.confirm(question, err=True):
        raise CommandFailed("Nothing was changed.", code="cancelled")


class Progress(Protocol):
    """A bar on its way."""

    def __call__(self, done: int, total: int | None = None, text: str = "") -> None:
        """Show how far it is."""
        ...


@contextmanager
def progress(text: str) -> Iterator[Progress]:
    """Give a function that moves a bar; without a terminal there is none."""
    if not sys.stderr.isatty():
        yield lambda done, total=None, text="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, console=Console(stderr=True, markup=False)) as bars:
        task = bars.add_task(text, total=None)

        def move(done: int, total: int | None = None, text: str = "") -> None:
            bars.update(task, completed=done, total=total)
            if text:
                bars.update(task, description=clean(text))

        yield move
