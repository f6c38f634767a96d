"""All tests: on SQLite, then what touches the database on PostgreSQL, then browsers."""

import os
import subprocess
import sys
from pathlib import Path

from tests.postgres_server import running_server

ROOT = Path(__file__).resolve().parent.parent
PARALLEL = ["-n", "2", "--dist", "loadfile"]
ALONE = "cluster or e2e"


def pytest(*args: str, **env: str) -> bool:
    """Run pytest; return whether everything passed."""
    command = [sys.executable, "-m", "pytest", "-q", *args]
    sys.stdout.write(f"$ {' '.join(command[1:])}\n")
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT, env=os.environ | env).returncode == 0


def main() -> None:
    """Run every part, the quickest first; one that fails does not hide the others."""
    passed = [
        pytest(*PARALLEL, "-m", f"not ({ALONE})"),
        pytest("-m", "cluster"),
    ]
    with running_server() as url:
        on_postgres = {"GOCLAW_DATABASE_URL": url}
        passed += [
            pytest(*PARALLEL, "-m", f"not (model or {ALONE})", **on_postgres),
            pytest("-m", "cluster", **on_postgres),
        ]
    passed.append(pytest("-m", "e2e"))
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
