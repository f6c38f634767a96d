"""A server of our own beside the tests, on their database, and the official client."""

import asyncio
import json
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.jobs.running import start, wait_for
from tests.people import Api

Found = TypeVar("Found")
MODES = ["legacy", "auto"]
"""With a handshake, as of 2025, and without one, as of 2026-07-28."""


@dataclass(frozen=True, slots=True)
class Server:
    """The web process, and where it is."""

    url: str
    state_dir: Path
    process: subprocess.Popen[str]

    def use(
        self,
        api: Api | None,
        work: Callable[[Client], Awaitable[Found]],
        *,
        mode: str = "auto",
        **headers: str,
    ) -> Found:
        """Do something with the official client, with the key and headers of `api`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if api is not None:
            sent |= {"Authorization": f"Bearer {api.secret}"} | api.headers

        async def main() -> Found:
            async with (
                httpx2.AsyncClient(headers=sent, timeout=30) as http,
                Client(
                    streamable_http_client(f"{self.url}/mcp", http_client=http),
                    mode=mode,
                ) as client,
            ):
                return await work(client)

        return asyncio.run(main())

    def send(
        self, body: Any, *, method: str = "POST", secret: str = "", **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        """Send one request by hand; return status, headers and JSON."""
        sent = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if secret:
            sent["Authorization"] = f"Bearer {secret}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(f"{self.url}/mcp", data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, dict(answer.headers), json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), json.load(error)


def run_server(state_dir: Path, **settings: str) -> Iterator[Server]:
    """Start the web process on the test's database, and stop it at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = start(
        "goclaw.web", state_dir=state_dir, GOCLAW_PORT=str(port), **settings
    )
    server = Server(f"http://127.0.0.1:{port}", state_dir, process)
    try:
        wait_for(lambda: process.poll() is not None or _is_up(server.url))
        assert process.poll() is None, process.communicate()[0]
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=20)
        finally:
            process.kill()


def _is_up(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="module")
def server(
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """Start one for all tests of a module."""
    with django_db_blocker.unblock():
        yield from run_server(tmp_path_factory.mktemp("state"))
