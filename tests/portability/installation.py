"""An installation of its own: a state directory, a database, commands in processes."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Installation:
    """A state directory whose commands run as an operator would run them."""

    state_dir: Path
    database_url: str = ""

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of its processes."""
        env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "GOCLAW_STATE_DIR": str(self.state_dir),
            "GOCLAW_DATABASE_URL": self.database_url,
            "PYTHONPATH": str(PROJECT),
            **more,
        }
        env.pop("GOCLAW_API_KEY", None)
        return env

    def goclaw(
        self, *args: str | Path, code: int = 0, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command; fails unless it ends with the code."""
        return self._run(["-m", "goclaw", *map(str, args)], code, more)

    def json(self, *args: str | Path) -> Any:
        """Run a command with --json and return what it prints."""
        return json.loads(self.goclaw(*args, "--json").stdout)

    def manage(self, *args: str) -> str:
        """Run one of Django's commands."""
        return self._run(["manage.py", *args], 0, {}).stdout

    def python(self, script: str, *args: str) -> Any:
        """Run a script inside the project; return the JSON it prints last."""
        setup = "import django; django.setup()\nimport json, sys\n"
        ran = self._run(["-c", setup + script, *args], 0, {})
        return json.loads(ran.stdout.splitlines()[-1]) if ran.stdout.strip() else None

    def _run(
        self, arguments: list[str], code: int, more: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [sys.executable, *arguments],
            cwd=PROJECT,
            env=self.environment(**more),
            capture_output=True,
            text=True,
        )
        assert ran.returncode == code, f"{arguments}\n{ran.stdout}\n{ran.stderr}"
        return ran


def installed(state_dir: Path, database_url: str = "") -> Installation:
    """Make the tables of a new installation."""
    installation = Installation(state_dir, database_url)
    installation.manage("migrate", "--verbosity", "0")
    return installation


def copied(installation: Installation, state_dir: Path) -> Installation:
    """Return another installation that is as the first one, on SQLite."""
    shutil.copytree(installation.state_dir, state_dir)
    return Installation(state_dir)
