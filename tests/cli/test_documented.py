"""The page about the command line: every command is in it, every example runs."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from typer.main import get_command

from accounts.models import User
from goclaw.cli import app
from tests.cli.conftest import Run

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def examples() -> list[str]:
    """Return the command lines of the console blocks, in order."""
    blocks = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [
        line[2:] for block in blocks for line in block.splitlines() if line[:1] == "$"
    ]


def commands() -> list[str]:
    """Return every command that is for people, as `memory search`."""

    def walk(command: Any, path: str) -> Any:
        for name, inner in getattr(command, "commands", {}).items():
            if not inner.hidden:
                yield from walk(inner, f"{path} {name}".strip())
        if not hasattr(command, "commands"):
            yield path

    return list(walk(get_command(app), ""))


@pytest.mark.django_db(transaction=True)
def test_every_example_does_what_it_says(
    goclaw: Run,
    server: User,
    imports_run: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(examples()) > 15
    for example in examples():
        before, _, line = example.rpartition(" | ")
        piped = shlex.split(before)[1] + "\n" if before else ""
        copied = ["--backed-up"] if _wants_a_copy(line) else []
        ran = goclaw(*shlex.split(line)[1:], *copied, stdin=piped)
        not_ready = 7 if line == "goclaw status" else 0  # no workers beside the test
        assert ran.code == not_ready, f"{example}\n{ran.err}"


def _wants_a_copy(line: str) -> bool:
    """Say whether a command asks for a copy of a database that it cannot make."""
    destroys = re.match(r"goclaw memory (forget --|clear|import)", line) is not None
    return destroys and connection.vendor != "sqlite"


@pytest.mark.parametrize("command", commands())
def test_every_command_is_described(command: str) -> None:
    group, _, verb = command.rpartition(" ")
    assert re.search(rf"goclaw {command}\b", PAGE) or (
        group in PAGE and f"`{verb}`" in PAGE
    )
