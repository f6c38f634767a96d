"""Several web processes are one server: what dies is replaced, limits are shared."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.accounts.factories import make_admin, make_key
from tests.jobs.running import children_of, processes_of, start, wait_for

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

PROCESSES = 3
LIMIT = 20


class Web:
    """The web server alone, without workers."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self._url = f"http://127.0.0.1:{port}"

    @property
    def serving(self) -> list[int]:
        """Return the processes that serve; each formats pages in one of its own."""
        return [pid for pid in children_of(self.process.pid) if children_of(pid)]

    def status(self, path: str, secret: str) -> int:
        """Return the status of an answer on a connection of its own."""
        try:
            return self._open(path, secret)[0]
        except urllib.error.HTTPError as error:
            return error.code

    def text(self, path: str, secret: str) -> str:
        """Return the text of an answer."""
        return self._open(path, secret)[1]

    def answers(self) -> bool:
        """Say whether anything answers."""
        try:
            return self._open("/healthz", "")[0] == 200
        except OSError:
            return False

    def _open(self, path: str, secret: str) -> tuple[int, str]:
        request = urllib.request.Request(
            self._url + path, headers={"Authorization": f"Bearer {secret}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = start(
        "goclaw.web",
        state_dir=tmp_path,
        GOCLAW_PORT=str(port),
        GOCLAW_WEB_PROCESSES=str(PROCESSES),
        GOCLAW_THROTTLE_PER_MINUTE=str(LIMIT),
    )
    server = Web(process, port)
    wait_for(server.answers)
    wait_for(lambda: len(server.serving) == PROCESSES)
    yield server
    process.kill()
    process.communicate()
    wait_for(lambda: not processes_of(tmp_path))


def test_one_that_dies_is_replaced_and_all_end_together(
    web: Web, tmp_path: Path
) -> None:
    victim = web.serving[0]
    os.kill(victim, signal.SIGKILL)
    wait_for(lambda: len(web.serving) == PROCESSES and victim not in web.serving)
    assert web.answers()
    web.process.terminate()
    web.process.communicate(timeout=30)
    assert web.process.returncode == 0
    assert not processes_of(tmp_path)


def test_none_outlives_the_first(web: Web, tmp_path: Path) -> None:
    web.process.kill()
    wait_for(lambda: not processes_of(tmp_path), seconds=3)


def test_a_limit_holds_over_all_processes(web: Web) -> None:
    _, secret = make_key(make_admin("quick"))
    left_s = 60 - time.time() % 60
    if left_s < 15:
        time.sleep(left_s)  # all requests within one minute
    answers = [web.status("/api/memory/stats", secret) for _ in range(LIMIT + 5)]
    assert answers == [200] * LIMIT + [429] * 5


def test_metrics_add_up_what_all_have_counted(web: Web) -> None:
    _, secret = make_key(make_admin("watcher"))
    for _ in range(12):
        assert web.status("/api/memory/stats", secret) == 200
    lines = web.text("/metrics", secret).splitlines()
    counted = [
        float(line.split()[-1])
        for line in lines
        if line.startswith("goclaw_requests_total") and 'status="2xx"' in line
    ]
    assert sum(counted) >= 12
    assert any(line.startswith("goclaw_oldest_due_job_seconds") for line in lines)
