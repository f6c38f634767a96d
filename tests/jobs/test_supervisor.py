"""One command for all of it: starts, stops, restarts, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.jobs.running import children_of, processes_of, start, wait_for

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

Up = subprocess.Popen[str]

EVERYTHING = 1 + (1 + 2) + (4 + 2) + (4 + 1)
"""Processes: itself, web and the two that serve, and for each queue four of django-q2
and its workers."""


@pytest.fixture
def port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def up(tmp_path: Path, port: int) -> Iterator[Callable[..., Up]]:
    """Return a function that starts everything."""
    started: list[Up] = []

    def start_one(state_dir: Path = tmp_path) -> Up:
        process = start(
            "goclaw",
            "up",
            state_dir=state_dir,
            GOCLAW_PORT=str(port),
            GOCLAW_WEB_PROCESSES="2",
        )
        started.append(process)
        return process

    yield start_one
    for process in started:
        process.kill()
        process.communicate()
    wait_for(lambda: not processes_of(tmp_path))


def _is_up(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as r:
            return bool(r.status == 200)
    except OSError:
        return False


def test_it_restarts_what_dies_and_nothing_outlives_it(
    up: Callable[..., Up], port: int, tmp_path: Path
) -> None:
    first = up()
    wait_for(lambda: _is_up(port))
    wait_for(lambda: len(processes_of(tmp_path)) == EVERYTHING)
    web, quick, embed = children_of(first.pid)
    os.kill(web, signal.SIGKILL)
    os.kill(quick, signal.SIGKILL)
    wait_for(lambda: len(children_of(first.pid)) == 3)
    wait_for(lambda: _is_up(port))
    assert embed in children_of(first.pid)

    second = up()
    output, _ = second.communicate(timeout=60)
    assert second.returncode == 1
    assert f"Process {first.pid} already serves {tmp_path}" in output

    first.kill()
    wait_for(lambda: not processes_of(tmp_path), seconds=3)

    third = up()
    wait_for(lambda: len(processes_of(tmp_path)) == EVERYTHING)
    wait_for(lambda: _is_up(port))
    third.send_signal(signal.SIGINT)
    output, _ = third.communicate(timeout=60)
    assert third.returncode == 0
    assert f"answers at http://127.0.0.1:{port}" in output
    assert not processes_of(tmp_path)


def test_a_port_that_is_taken_is_named(
    up: Callable[..., Up], port: int, tmp_path: Path
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        process = up()
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"Cannot listen on 127.0.0.1 port {port}" in output
    assert "Traceback" not in output


def test_a_server_that_cannot_start_ends_instead_of_trying_for_ever(
    tmp_path: Path, port: int
) -> None:
    process = start(
        "goclaw",
        "up",
        state_dir=tmp_path,
        GOCLAW_PORT=str(port),
        GOCLAW_MEMORY_SEARCH_PROVIDER="nonsense",
    )
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "GOCLAW_MEMORY_SEARCH_PROVIDER must be one of" in output
    assert not processes_of(tmp_path)
