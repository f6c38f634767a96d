"""Start a real server on a fresh state directory, and take it down again."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil

from bench.client import Client

PROJECT = Path(__file__).resolve().parent.parent
READY_WITHIN_S = 300.0
SERVING = {"goclaw.web", "goclaw.embedder"}
"""The modules of the processes that answer requests; all others are workers."""


class Server:
    """One installation: state directory, database and port; may be restarted."""

    def __init__(
        self, state_dir: Path, database_url: str = "", **settings: str
    ) -> None:
        """Take settings by their environment names without `GOCLAW_`, in lower case."""
        self.state_dir = state_dir
        self.database_url = database_url
        self.settings = settings
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of the server and of tools beside it."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("GOCLAW_")}
        ours = {
            "state_dir": str(self.state_dir),
            "port": str(self.port),
            "log_level": "WARNING",
            "admin_password": "",
            **({"database_url": self.database_url} if self.database_url else {}),
            **self.settings,
        }
        return (
            inherited
            | {f"GOCLAW_{name.upper()}": value for name, value in ours.items()}
            | {
                "PYTHONPATH": str(PROJECT),
                "DJANGO_SETTINGS_MODULE": "goclaw.settings",
                "SPT_NOENV": "1",  # else a changed process title hides its environment
            }
        )

    @property
    def pid(self) -> int:
        """Return the process id of the supervisor."""
        if self._process is None:
            raise RuntimeError("the server is not running")
        return self._process.pid

    @property
    def key(self) -> str:
        """Return the administrator's key of this installation."""
        path = self.state_dir / "credentials" / "local-admin.key"
        return path.read_text(encoding="ascii").strip()

    def client(self) -> Client:
        """Return a new connection with the administrator's key."""
        return Client(self.url, self.key)

    def run_beside(self, *arguments: str, **environment: str) -> str:
        """Run Python with the server's settings and more; return what it prints."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=PROJECT,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def start(self, **settings: str) -> None:
        """Start web and workers, and return when they are ready."""
        self.launch(**settings)
        self.wait_for("/readyz")

    def launch(self, **settings: str) -> None:
        """Start web and workers without waiting."""
        self.settings |= settings
        with (self.state_dir / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "goclaw.supervisor"],
                cwd=PROJECT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_for(self, path: str, *, timeout_s: float = READY_WITHIN_S) -> float:
        """Return the seconds until the path answers 200, or raise TimeoutError."""
        start = time.perf_counter()
        while answer := _answer(f"{self.url}{path}"):
            waited = time.perf_counter() - start
            if waited > timeout_s or self._has_ended():
                raise TimeoutError(
                    f"{path} after {waited:.0f} s: {answer}\n{self.log_tail()}"
                )
            time.sleep(0.2)
        return time.perf_counter() - start

    def stop(self) -> None:
        """Stop as an operator would, and wait for the end."""
        if self._process is None:
            return
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(60)
        self.kill()

    def kill(self) -> None:
        """Kill the supervisor without a warning."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def restart(self, **settings: str) -> None:
        """Stop, and start with changed settings."""
        self.stop()
        self.start(**settings)

    def processes(self) -> list[psutil.Process]:
        """Return every living process that was started with the state directory."""
        wanted = str(self.state_dir)
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.pid != os.getpid() and (
                    process.environ().get("GOCLAW_STATE_DIR") == wanted
                ):
                    found.append(process)
        return found

    def parts(self, *, serving: bool) -> list[psutil.Process]:
        """Return the processes that answer requests, or those of the workers."""
        found = []
        for child in psutil.Process(self.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):
                if bool(SERVING & set(child.cmdline())) is serving:
                    found += [child, *child.children(recursive=True)]
        return found

    def web_processor_s(self) -> float:
        """Return the processor time that the web processes and the model have used."""
        times = [process.cpu_times() for process in self.parts(serving=True)]
        return float(sum(time.user + time.system for time in times))

    def memory_mb(self) -> float:
        """Return the memory of all processes; what they share is counted once (PSS)."""
        total = 0
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().pss
        return total / 1e6

    def log_tail(self, lines: int = 15) -> str:
        """Return the end of the server's log."""
        path = self.state_dir / "server.log"
        if not path.exists():
            return ""
        text = path.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


@contextlib.contextmanager
def running(
    database_url: str = "", *, started: bool = True, **settings: str
) -> Iterator[Server]:
    """Yield a fresh server that is (unless told otherwise) ready."""
    with tempfile.TemporaryDirectory(prefix="goclaw-bench-") as folder:
        server = Server(Path(folder), database_url, **settings)
        try:
            if started:
                server.start()
            yield server
        except Exception as error:
            error.add_note(f"The server's log ends with:\n{server.log_tail(40)}")
            raise
        finally:
            server.stop()


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answer(url: str) -> str:
    """Return nothing when the address answers 200, or else what is wrong."""
    try:
        with urllib.request.urlopen(url, timeout=5):
            return ""
    except urllib.error.HTTPError as error:
        return error.read().decode(errors="replace")
    except OSError as error:
        return str(error)
