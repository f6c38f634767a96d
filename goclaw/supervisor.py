"""Web server and workers in one command: `python -m goclaw.supervisor`.

Runs in the foreground until SIGTERM or Ctrl-C, starts again what ends, and leaves no
process behind, not even when it is killed itself.
"""

import contextlib
import errno
import logging
import logging.config
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from types import FrameType

from goclaw.lib.env import BadSetting, env_choice, env_int, env_str, variable
from goclaw.lib.logs import logging_config
from goclaw.lib.queue_settings import QUEUES
from goclaw.lib.server import ServerConfig, server_config
from goclaw.lib.services import Service
from goclaw.lib.state import InUse, alone_with, state_directory
from goclaw.web import GRACE_S

log = logging.getLogger("goclaw")

WEB_GRACE_S = GRACE_S + 2
LONGEST_SOCKET = 100
"""Bytes of the path of a Unix socket that every system takes."""
PORT_PATIENCE_S = 3.0
"""How long the port of a predecessor that is just dying may stay taken."""


class CannotStart(Exception):
    """The server cannot start; the message says why and what to do."""


class Supervisor:
    """Keeps the services running until a signal comes."""

    def __init__(self, config: ServerConfig, *, grace_s: float, demo: bool) -> None:
        self._config = config
        self._grace_s = grace_s
        model, self._embedders = _embedder(config)
        options = ["--demo"] if demo else []
        self._web = _module("web", "goclaw.web", *options, **model)
        self._workers = [
            _module(f"{queue} worker", "goclaw.worker", queue) for queue in QUEUES
        ]
        self._signals = 0

    def run(self) -> None:
        """Start everything, and return when it has stopped after a signal.

        Raises CannotStart when the web server ends before it ever answered.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)
        services = [self._web, *self._embedders, *self._workers]
        try:
            # It prepares the database first; without the workers it starts sooner.
            self._web.start()
            for embedder in self._embedders:
                embedder.start()
            self._await_web()
            while not self._signals:
                for service in services:
                    service.look_after()
                time.sleep(0.2)
            log.info("Stopping; once more to stop at once")
            self._stop([self._web], WEB_GRACE_S)
            self._stop([*self._embedders, *self._workers], self._grace_s)
        finally:
            for service in services:
                service.kill()
        log.info("Stopped")

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1

    def _await_web(self) -> None:
        while not self._signals:
            if not self._web.is_running:
                raise CannotStart("The web server did not start; the reason is above.")
            if _answers(self._config):
                log.info("GoClaw Memory answers at %s", self._config.url)
                return
            time.sleep(0.1)

    def _stop(self, services: Sequence[Service], grace_s: float) -> None:
        """Ask the services to stop, and wait until they have, or the grace is over."""
        end = time.monotonic() + grace_s
        for service in services:
            service.ask_to_stop()
        while any(service.is_running for service in services):
            if time.monotonic() > end or self._signals > 1:
                return
            time.sleep(0.05)


def main(*, demo: bool = False) -> None:
    """Run until told to stop; exit with 1 and a plain sentence if that cannot be.

    `demo` loads the sample organisation first.
    """
    try:
        config = server_config()
        grace_s = env_int("stop.grace", 30, low=1, high=3600)
        json_lines = env_choice("log.format", "text", ["text", "json"]) == "json"
        logging.config.dictConfig(logging_config(level="INFO", json_lines=json_lines))
        state_directory(config.state_dir)
        # Else each thread's share of memory keeps what it has freed for itself.
        os.environ.setdefault("MALLOC_ARENA_MAX", "2")
        with _only_one(config):
            _check_port(config)
            Supervisor(config, grace_s=grace_s, demo=demo).run()
    except (BadSetting, CannotStart) as error:
        sys.exit(f"goclaw: {error}")


@contextlib.contextmanager
def _only_one(config: ServerConfig) -> Iterator[None]:
    """Hold the state directory while the server runs."""
    try:
        with alone_with(config.state_dir):
            yield
    except InUse as error:
        raise CannotStart(
            f"Process {error.holder} already serves {config.state_dir}."
            " Stop it, or set GOCLAW_STATE_DIR."
        ) from None


def _module(name: str, module: str, *arguments: str, **settings: str) -> Service:
    return Service(name, [sys.executable, "-m", module, *arguments], settings)


def _embedder(config: ServerConfig) -> tuple[dict[str, str], list[Service]]:
    """Return how the web finds the process of the local model, and that process."""
    if (env_str("memory.search.provider") or "local") != "local":
        return {}, []
    path = config.state_dir / "run" / "embedder.sock"
    if len(os.fsencode(path)) > LONGEST_SOCKET:
        return {}, []  # each web process loads the model itself
    embedder = _module("embedder", "goclaw.embedder", str(path))
    return {variable("memory.search.socket"): str(path)}, [embedder]


def _check_port(config: ServerConfig) -> None:
    end = time.monotonic() + PORT_PATIENCE_S
    while True:
        try:
            _bind(config)
            return
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < end:
                time.sleep(0.1)
                continue
            raise CannotStart(
                f"Cannot listen on {config.host} port {config.port}:"
                f" {error.strerror}. Choose another GOCLAW_HOST or GOCLAW_PORT."
            ) from None


def _bind(config: ServerConfig) -> None:
    family, kind, protocol, _, address = socket.getaddrinfo(
        config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


def _answers(config: ServerConfig) -> bool:
    try:
        socket.create_connection((config.reached_at, config.port), timeout=1).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
