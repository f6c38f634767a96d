"""The web server: `python -m goclaw.web`. Prepares the database, then serves.

This process does all that has to happen before the first request, and opens the port.
Then it forks the processes that serve, and starts them again when they end: what Django
has loaded by then is in memory once. One process alone would leave the processor idle,
since its threads take turns at Python.
"""

import argparse
import gc
import logging
import os
import signal
import socket
import time
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from goclaw.lib.counting import count_together
from goclaw.lib.processes import forks_die_with_parent, switch_threads_often
from goclaw.lib.server import server_config

if TYPE_CHECKING:
    import uvicorn

GRACE_S = 10
"""Seconds that requests get to end when the server stops."""
PAUSE_S = 1.0
"""Before a process that ended by itself is started again."""

_ENDING = frozenset({signal.SIGTERM, signal.SIGINT})

log = logging.getLogger("goclaw")


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m goclaw.web")
    parser.add_argument("--demo", action="store_true", help="load sample data first")
    demo = parser.parse_args().demo
    # Before NumPy loads: its threads only get in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")
    count_together(server_config().state_dir / "run" / "metrics")
    forks_die_with_parent()
    switch_threads_often()
    config = _prepared(demo=demo)
    _Parent(config).run()


def _prepared(*, demo: bool) -> "uvicorn.Config":
    """Set up Django and the database, and load what all processes share."""
    import django
    import uvicorn
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    call_command("prepare", demo=demo)

    config = uvicorn.Config(
        "goclaw.asgi:application",
        host=settings.GOCLAW_HOST,
        port=settings.GOCLAW_PORT,
        access_log=False,
        log_config=None,  # ours is in place
        log_level="warning",
        timeout_graceful_shutdown=GRACE_S,
    )
    config.load()
    connections.close_all()  # no two processes can use one
    return config


class _Parent:
    """Keeps the processes that serve running until a signal comes."""

    def __init__(self, config: "uvicorn.Config") -> None:
        self._config = config
        self._children: set[int] = set()
        self._stopping = False

    def run(self) -> None:
        """Open the port, fork, and wait; return when all have ended after a signal."""
        from django.conf import settings

        listener = self._config.bind_socket()
        for number in _ENDING:
            signal.signal(number, self._stop)
        gc.collect()
        gc.freeze()  # the forks share the memory of what never changes
        for _ in range(settings.GOCLAW_WEB_PROCESSES):
            self._fork(listener)
        while self._children:
            pid, status = os.wait()
            self._children.discard(pid)
            if not self._stopping:
                code = os.waitstatus_to_exitcode(status)
                log.error("A web process ended with %d; another takes its place", code)
                time.sleep(PAUSE_S)
            if not self._stopping:
                self._fork(listener)

    def _fork(self, listener: socket.socket) -> None:
        # A signal in between would find the parent's answer in the child.
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        pid = os.fork()
        if not pid:
            _serve(self._config, listener)
        self._children.add(pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        if self._stopping:  # one that came just before has missed this child
            os.kill(pid, signal.SIGTERM)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        for pid in self._children:
            os.kill(pid, signal.SIGTERM)


def _serve(config: "uvicorn.Config", listener: socket.socket) -> NoReturn:
    """Answer requests in a process of its own, and end it."""
    import uvicorn

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to stop
    signal.signal(signal.SIGTERM, _end)  # uvicorn passes it on when it has stopped
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except BaseException:
        log.exception("A web process has failed")
    logging.shutdown()
    os._exit(1)  # the stack below is the parent's


def _end(signum: int, frame: FrameType | None) -> None:
    """End the processes that format pages, then this one by the same signal."""
    from wiki.rendering import pool

    pool.close()
    signal.signal(signum, signal.SIG_DFL)
    signal.raise_signal(signum)


if __name__ == "__main__":
    main()
