"""Where the server is, with which key, and what is said when it is not there."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from tests.cli.conftest import Run
from tests.people import api_for

NOWHERE = "http://127.0.0.1:9"


def test_a_server_that_is_not_there(goclaw: Run, monkeypatch: Any) -> None:
    monkeypatch.setenv("GOCLAW_URL", NOWHERE)
    monkeypatch.setenv("GOCLAW_API_KEY", "gck_x")
    ran = goclaw("memory", "stats")
    assert ran.code == 3
    assert f"Cannot reach the server at {NOWHERE}" in ran.err
    assert "make run" in ran.err


def test_the_key_of_this_machine_is_taken_from_its_file(
    goclaw: Run, server: User, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.delenv("GOCLAW_API_KEY")
    monkeypatch.setenv("GOCLAW_STATE_DIR", str(tmp_path))
    missing = goclaw("status")
    assert missing.code == 4
    assert "local-admin.key" in missing.err

    (tmp_path / "credentials").mkdir()
    key = tmp_path / "credentials" / "local-admin.key"
    key.write_text(api_for(server).secret)
    assert goclaw("memory", "stats").code == 0


def test_it_never_leaves_the_machine(
    goclaw: Run, tmp_path: Path, monkeypatch: Any
) -> None:
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "local-admin.key").write_text("gck_secret")
    monkeypatch.setenv("GOCLAW_STATE_DIR", str(tmp_path))
    monkeypatch.delenv("GOCLAW_API_KEY", raising=False)
    monkeypatch.setenv("GOCLAW_URL", "https://memory.example.org")
    ran = goclaw("memory", "stats")
    assert ran.code == 4
    assert "Set GOCLAW_API_KEY" in ran.err


@pytest.mark.django_db(transaction=True)
def test_a_key_that_is_refused(goclaw: Run, server: User, monkeypatch: Any) -> None:
    monkeypatch.setenv("GOCLAW_API_KEY", "gck_wrong")
    ran = goclaw("memory", "stats")
    assert ran.code == 4
    assert "This API key is not known." in ran.err
    assert "goclaw key create" in ran.err


@pytest.mark.django_db(transaction=True)
def test_the_state_of_the_server(goclaw: Run, server: User) -> None:
    ran = goclaw("status")
    assert ran.code == 7  # nobody works on its queues
    assert "silent: quick, embed" in ran.out
    assert "admin (administrator)" in ran.out


def test_an_address_that_is_none(goclaw: Run, monkeypatch: Any) -> None:
    monkeypatch.setenv("GOCLAW_URL", "localhost:8000")
    ran = goclaw("status")
    assert ran.code == 2
    assert "It looks like http://127.0.0.1:8000" in ran.err


def test_help_loads_neither_django_nor_a_model() -> None:
    script = (
        "import sys\nfrom goclaw import cli\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'django', 'torch', 'numpy', 'httpx2', 'rich', 'openai'}\n"
        "loaded = heavy & {name.split('.')[0] for name in sys.modules}\n"
        "sys.exit(', '.join(loaded) or None)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_every_command_has_help_with_an_example(goclaw: Run) -> None:
    from typer.main import get_command

    from goclaw.cli import app

    def walk(command: Any, path: tuple[str, ...]) -> Any:
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, (*path, name))
        if not hasattr(command, "commands") and not command.hidden:
            yield path

    paths = list(walk(get_command(app), ()))
    assert len(paths) > 15
    for path in paths:
        shown = goclaw(*path, "--help")
        assert shown.code == 0
        assert "Example" in shown.out, path
        if path not in {("up",), ("user", "link")}:
            assert "--json" in shown.out, path


def test_completion_is_offered_for_the_shell(
    goclaw: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    assert "_goclaw" in goclaw("--show-completion", "bash").out
