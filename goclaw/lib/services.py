"""Long-running child processes: started in a session of their own, started again."""

import contextlib
import functools
import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

from goclaw.lib.processes import die_with_parent

log = logging.getLogger(__name__)

LONGEST_PAUSE_S = 30.0
STEADY_AFTER_S = 60.0
"""A service that ran that long starts afresh: its next end is its first."""


class Service:
    """One child process and all it forks, kept running until it is stopped."""

    def __init__(
        self, name: str, command: Sequence[str], env: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self._command = list(command)
        self._env = dict(os.environ) | dict(env or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._ends = 0
        self._next_start = 0.0

    @property
    def is_running(self) -> bool:
        """Say whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process: in a session of its own, so Ctrl-C does not reach it."""
        self._started = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 - our own commands
            self._command,
            env=self._env,
            start_new_session=True,
            # Safe here: the caller has one thread.
            preexec_fn=functools.partial(die_with_parent, os.getpid()),
        )

    def look_after(self) -> None:
        """Start the process; again when it has ended, later each time it ends early."""
        now = time.monotonic()
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            self.kill()
            self._ends = 1 if now - self._started > STEADY_AFTER_S else self._ends + 1
            pause = min(2.0 ** (self._ends - 1), LONGEST_PAUSE_S)
            self._next_start = now + pause
            log.error(
                "%s ended with %d; it starts again in %.0f s", self.name, code, pause
            )
        elif now >= self._next_start:
            self.start()

    def ask_to_stop(self) -> None:
        """Send SIGTERM to the process itself; it sees to its own children."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    def kill(self) -> None:
        """Kill whatever is left of the session, and forget the process."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
