"""All tests: on SQLite, then what asks a database on PostgreSQL, then browsers."""

import os
import subprocess
import sys
from pathlib import Path

from tests.postgres_server import running_server

ROOT = Path(__file__).resolve().parent.parent
PARALLEL = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Tests start many processes of ours: each would compile all of it again."""


def pytest(*args: str, **env: str) -> bool:
    """Run pytest; return whether everything passed."""
    command = [sys.executable, "-m", "pytest", "-q", *PARALLEL, *args]
    sys.stdout.write(f"$ {' '.join(command[1:])}\n")
    sys.stdout.flush()
    env = os.environ | COMPILED | env
    return subprocess.run(command, cwd=ROOT, env=env).returncode == 0


def main() -> None:
    """Run every part; one that fails does not hide the others."""
    passed = [pytest("-m", "not e2e")]
    with running_server() as url:
        chosen = "not (model or e2e)"
        passed.append(pytest("-m", chosen, GOCLAW_DATABASE_URL=url))
    passed.append(pytest("-m", "e2e"))
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
