"""The `goclaw` command against a real server in the same process."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.models import User
from goclaw import cli
from tests.people import Api, api_for, make_admin
from tests.wiki.zips import run_imports


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return the output as the JSON that it should be."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def goclaw(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command line; `stdin` is what is piped into it."""

    def run(*args: str | Path, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        try:
            cli.main([str(arg) for arg in args])
            code: Any = 0
        except SystemExit as stop:
            code = stop.code
        printed = capfd.readouterr()
        return Ran(int(code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def server(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> User:
    """Let commands talk to a running server, with the key of its administrator."""
    admin = make_admin()
    rights = {"may_act_for_others": True}
    monkeypatch.setenv("GOCLAW_URL", live_server.url)
    monkeypatch.setenv("GOCLAW_API_KEY", api_for(admin, **rights).secret)
    return admin


@pytest.fixture
def api(server: User) -> Api:
    """Return a client of the same server with the administrator's rights."""
    return api_for(server)


@pytest.fixture
def imports_run(server: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run imports while a command waits for them, as a worker would."""
    waiting = SimpleNamespace(sleep=lambda seconds: run_imports())
    monkeypatch.setattr("goclaw.cli.client.time", waiting)
