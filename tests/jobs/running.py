"""Start our processes beside a test, on its database, and see what becomes of them."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

PROJECT = Path(__file__).parents[2]


def environment(state_dir: Path, **more: str) -> dict[str, str]:
    """Return the environment of a process that shares the test's database."""
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "GOCLAW_STATE_DIR": str(state_dir),
        "GOCLAW_DATABASE_URL": _database_url(),
        "GOCLAW_SECRET_KEY": settings.SECRET_KEY,
        "PYTHONPATH": str(PROJECT),
        "SPT_NOENV": "1",  # process titles leave /proc/<pid>/environ alone
        **more,
    }


def start(
    module: str, *arguments: str, state_dir: Path, **more: str
) -> subprocess.Popen[str]:
    """Start a module of ours in a session of its own, its output kept."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=PROJECT,
        env=environment(state_dir, **more),
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_for(condition: Callable[[], object], *, seconds: float = 60) -> None:
    """Return as soon as the condition holds; fail if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.03)


def processes_of(state_dir: Path) -> list[int]:
    """Return the living processes that were started with the state directory."""
    marker = f"GOCLAW_STATE_DIR={state_dir}\0".encode()
    return [pid for pid in _all_processes() if marker in _read(pid, "environ")]


def children_of(pid: int) -> list[int]:
    """Return the children of a process, oldest first."""
    return sorted(child for child in _all_processes() if _parent(child) == pid)


def _all_processes() -> Sequence[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _parent(pid: int) -> int:
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    return int(fields[1]) if fields else -1


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _database_url() -> str:
    entry = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite://{entry['NAME']}"
    login = quote(entry["USER"] or "", safe="")
    if entry["PASSWORD"]:
        login += ":" + quote(entry["PASSWORD"], safe="")
    address = f"postgres://{login}@:{entry['PORT'] or ''}/{entry['NAME']}"
    return f"{address}?host={quote(entry['HOST'] or '', safe='')}"
