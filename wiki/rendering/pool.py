"""A few warm processes that format texts, and are killed when one takes too long.

Python-Markdown can hang or use up all memory on a small hostile text, in C code that no
thread can interrupt. A process can be killed. It starts with the first text, is kept,
and ends by itself when this process is gone, since then its socket closes.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from wiki.rendering.frames import Closed, receive, send

LIMIT_S = 5.0
"""Seconds one text may take."""
START_LIMIT_S = 30.0
WAIT_LIMIT_S = 30.0
"""Seconds to wait for a worker while others are asking."""
SIZE = 2
USES = 1000
"""Texts after which a worker makes room for a new one."""

_ROOT = Path(__file__).resolve().parents[2]


class _Worker:
    """One process, and our end of its socket."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair()
        environment = {"PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "wiki.rendering.worker"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
        self._ready = False
        self.uses = 0

    @property
    def pid(self) -> int:
        """Return the id of the process."""
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Wait until it has loaded what it needs."""
        if not self._ready:
            receive(self._channel, time.monotonic() + START_LIMIT_S)
            self._ready = True

    def ask(self, request: dict[str, Any], deadline: float) -> dict[str, Any]:
        """Return the answer; raises Closed, TimeoutError or OSError."""
        self.uses += 1
        self._channel.settimeout(max(0.001, deadline - time.monotonic()))
        send(self._channel, request)
        return receive(self._channel, deadline)

    def end(self) -> None:
        """Kill the process, whatever it does, and wait for that."""
        self.disconnect()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()

    def disconnect(self) -> None:
        """Close our end."""
        self._channel.close()


class Pool:
    """Hands texts to idle workers; safe to use from many threads."""

    def __init__(self, size: int = SIZE) -> None:
        self._turns = threading.Semaphore(size)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()

    def ask(self, request: dict[str, Any], limit_s: float = LIMIT_S) -> dict[str, Any]:
        """Return the worker's answer, or `{"failed": …}`."""
        if not self._turns.acquire(timeout=WAIT_LIMIT_S):
            return {"failed": "unavailable"}
        try:
            for _ in range(2):  # an idle worker may have died unnoticed
                with contextlib.suppress(Closed, BrokenPipeError, ConnectionError):
                    return self._ask(request, limit_s)
            return {"failed": "error"}
        finally:
            self._turns.release()

    def _ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        worker = self._take()
        failed = "unavailable"
        try:
            worker.wait_until_ready()
            failed = "too_slow"
            answer = worker.ask(request, time.monotonic() + limit_s)
        except TimeoutError:
            self._end(worker)
            self.warm()  # before the next text
            return {"failed": failed}
        except BaseException:
            self._end(worker)
            raise
        if worker.uses < USES:
            self._idle.append(worker)
        else:
            self._end(worker)
        return answer

    def _take(self) -> _Worker:
        try:
            return self._idle.pop()
        except IndexError:
            return self._new()

    def _new(self) -> _Worker:
        worker = _Worker()
        self._all.add(worker)
        return worker

    def _end(self, worker: _Worker) -> None:
        worker.end()
        self._all.discard(worker)

    def warm(self) -> None:
        """Have one worker ready."""
        if not self._idle:
            self._idle.append(self._new())

    def pids(self) -> list[int]:
        """Return the process ids of the idle workers."""
        return [worker.pid for worker in self._idle]

    def close(self) -> None:
        """End all workers, those that are at work too."""
        self._idle.clear()
        for worker in list(self._all):
            self._end(worker)

    def forget(self) -> None:
        """Let go of the workers without ending them: they are another process's."""
        for worker in list(self._all):
            worker.disconnect()


_pool = Pool()


def ask(request: dict[str, Any]) -> dict[str, Any]:
    """Return a worker's answer, or `{"failed": reason}`."""
    return _pool.ask(request)


def warm_up() -> None:
    """Start a worker ahead of the first text."""
    _pool.warm()


def close() -> None:
    """End the workers of this process, which is about to end itself."""
    _pool.close()


def _after_fork() -> None:
    global _pool
    _pool.forget()
    _pool = Pool()


os.register_at_fork(after_in_child=_after_fork)
