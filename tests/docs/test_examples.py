"""Every example of the docs does what the page says, on a server with sample data."""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from pytest_httpserver import HTTPServer

from tests.docs.examples import PAGES, ROOT, Example, examples
from tests.e2e.scripted_model import Script
from tests.jobs.running import wait_for

pytestmark = pytest.mark.cluster

ELSEWHERE = re.compile(
    r"^(\S+=\S+ )*(make|docker|podman|sudo|systemctl|journalctl|pg_dump|psql|pip|npm"
    r"|openclaw|git|sqlite3) ?",
    re.MULTILINE,
)
"""What concerns the machine, not a running server; `make run` has tests of its own."""
RECORD = "0b6f2f8e-6d0c-4a53-9d3e-0a2f6b0a6e11"
SESSION = "5f0c7a52-6f0e-4c0b-9d6e-0a3b8f0f7a11"
FACT = {"value": {"host": "stillwater", "ip": "10.20.6.40"}}
MAKE_KEY = """.venv/bin/python manage.py apikey create admin examples \\
  --run chat --run cron --may-act-for-others --may-write-db-cache"""
"""What the pages say that a key needs for one or the other example."""
AT_HAND = f"""
curl() {{ command curl --fail-with-body "$@"; }}
goclaw() {{ {sys.executable} -m goclaw "$@"; }}
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A whole server with the sample organisation, and who uses it from a shell."""

    url: str
    state_dir: Path
    key: str

    def run(self, script: str, *, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a script as a reader would."""
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", AT_HAND + self._here(script)],
            cwd=cwd,
            env=os.environ | self._environment,
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "GOCLAW_URL": self.url,
            "GOCLAW_API_KEY": self.key,
            "GOCLAW_STATE_DIR": str(self.state_dir),
            "DJANGO_SETTINGS_MODULE": "goclaw.settings",
            "PYTHONPATH": str(ROOT),
        }

    def _here(self, script: str) -> str:
        """Return the script with this server where the page names the usual one."""
        script = re.sub(r"^export GOCLAW_(URL|API_KEY)=.*\n?", "", script, flags=re.M)
        script = script.replace("http://127.0.0.1:8000", self.url)
        script = script.replace(
            ".venv/bin/python manage.py", f"{sys.executable} {ROOT}/manage.py"
        )
        script = script.replace(".venv/bin/goclaw", "goclaw")
        return script.replace("~/.goclaw", str(self.state_dir))


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """Serve a model that has something to say on every question; yield its address."""
    with HTTPServer(port=0) as server:
        answers = server.expect_request("/v1/chat/completions")
        answers.respond_with_handler(Script(domain="gauges"))
        yield server.url_for("/v1")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: str) -> Iterator[Server]:
    if connection.vendor != "sqlite":
        pytest.skip("once is enough: they use a server with a database of its own")
    state_dir = tmp_path_factory.mktemp("state")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "goclaw.settings",
        "GOCLAW_STATE_DIR": str(state_dir),
        "GOCLAW_PORT": str(port),
        "GOCLAW_THROTTLE_PER_MINUTE": "0",
        "GOCLAW_MODEL_NAME": "scripted",
        "GOCLAW_MODEL_BASE_URL": model,
    }
    log = (state_dir / "log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "goclaw", "up", "--demo"],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=log,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: process.poll() is not None or _is_ready(url), seconds=120)
        assert process.poll() is None, (state_dir / "log").read_text()
        key = (state_dir / "credentials" / "local-admin.key").read_text().strip()
        local = Server(url, state_dir, key)
        _make_what_pages_name(local)
        made = local.run(MAKE_KEY, cwd=state_dir)
        yield Server(url, state_dir, made.stdout.strip())
    finally:
        process.terminate()
        process.wait(60)
        log.close()


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.name)
def test_the_examples_of_a_page_work(
    server: Server, document: Path, tmp_path: Path
) -> None:
    _make_files(tmp_path)
    failures = []
    for example in examples(document):
        if ELSEWHERE.search(example.script):
            continue
        ran = server.run(example.script, cwd=tmp_path)
        if ran.returncode:
            failures.append(f"{example}: {ran.stdout[-600:]}{ran.stderr[-600:]}")
        elif example.answer:
            failures += [f"{example}: {one}" for one in _unlike(example, ran.stdout)]
    assert not failures, "\n".join(failures)


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _make_what_pages_name(server: Server) -> None:
    """Store what the pages speak of, a record and a session by the ids they use."""
    _send(server, "PUT", "memory/facts/agent_notes/network/ingest-address", FACT)
    _send(server, "POST", "memory/wiki?slug=ops/failover", {"body": "# Failover\n"})
    note = server.state_dir / "workspace" / "memory" / "2026-11-29.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("A line of that day.\n" * 20, encoding="utf-8")
    for table, path, body, uid in (
        (
            "memories",
            "memory/records",
            {"scope": "agent_notes", "content": "The gauge is read at noon."},
            RECORD,
        ),
        ("memory_sessions", "sessions", {"title": "Gauges"}, SESSION),
    ):
        made = _send(server, "POST", path, body)["id"]
        with sqlite3.connect(server.state_dir / "gc_state.sqlite", timeout=20) as base:
            base.execute(
                f"UPDATE {table} SET uid = ? WHERE uid = ?",  # noqa: S608
                (uid.replace("-", ""), made.replace("-", "")),
            )


def _send(server: Server, method: str, path: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(
        f"{server.url}/api/{path}",
        json.dumps(body).encode(),
        {
            "Authorization": f"Bearer {server.key}",
            "Content-Type": "application/json",
        },
        method=method,
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def _make_files(folder: Path) -> None:
    """Put there what a reader has at hand when a page begins."""
    (folder / "plan.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")


def _unlike(example: Example, said: str) -> Iterator[str]:
    """Yield what the page shows of the last answer and that does not have."""
    shown = json.loads(example.answer or "")
    start, answer = 0, None
    try:
        while said[start:].strip():
            begin = re.compile(r"\s*").match(said, start)
            answer, start = json.JSONDecoder().raw_decode(said, begin.end())
    except ValueError:
        yield f"no JSON: {said[:300]}"
        return
    yield from _missing(shown, answer, "answer")


def _missing(shown: Any, answer: Any, place: str) -> Iterator[str]:
    if isinstance(shown, dict):
        if not isinstance(answer, dict):
            yield f"{place} is no object"
            return
        for name, inner in shown.items():
            if name not in answer:
                yield f"{place} has no {name}"
            else:
                yield from _missing(inner, answer[name], f"{place}.{name}")
    elif isinstance(shown, list) and shown and isinstance(answer, list) and answer:
        yield from _missing(shown[0], answer[0], f"{place}[0]")
