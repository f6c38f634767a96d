"""A server with `/mcp` in use stops in time, and starts without loading the SDK."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import transaction

from accounts.models import User
from memory.locks import lock
from memory.models import Memory
from memory.spaces import personal_space
from tests.jobs.running import children_of
from tests.mcp.asking import LIST
from tests.mcp.conftest import run_server
from tests.people import Api

pytestmark = [pytest.mark.cluster, pytest.mark.django_db(transaction=True)]


def test_it_stops_when_what_was_asked_is_done(
    tmp_path: Path, alice: User, alice_api: Api
) -> None:
    running = run_server(tmp_path)
    server = next(running)
    fact = {"domain": "deploy", "key": "day", "value": "Tuesday"}
    write = {"name": "memory_write", "arguments": fact}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": write}
    assert server.send(LIST, secret=alice_api.secret)[0] == 200
    space = personal_space(alice.pk)

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            lock(("fact", space.pk, fact["domain"], fact["key"]))
            answer = thread.submit(server.send, body, secret=alice_api.secret)
            time.sleep(0.5)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            assert not answer.done()
            assert server.process.poll() is None
        began = time.perf_counter()
        status, _, told = answer.result(timeout=20)
    output, _ = server.process.communicate(timeout=20)

    assert (status, told["result"]["isError"]) == (200, False)
    assert Memory.objects.get().value == "Tuesday"
    assert time.perf_counter() - began < 5
    assert "Traceback" not in output
    running.close()


def test_the_sdk_is_loaded_by_the_first_who_asks(
    tmp_path: Path, alice_api: Api
) -> None:
    running = run_server(tmp_path)
    server = next(running)

    def has_sdk() -> bool:
        """Look for the cryptography that only the SDK brings, where it is served."""
        return any(
            "cryptography" in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
            for pid in children_of(server.process.pid)
        )

    server.send(LIST, secret="gck_wrong")
    assert not has_sdk()
    assert server.send(LIST, secret=alice_api.secret)[0] == 200
    assert has_sdk()
    running.close()
