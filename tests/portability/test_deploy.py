"""The files for containers and systemd name what exists; they are not run here."""

import configparser
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(DEPLOY.iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_setting_in_it_is_one(file: Path) -> None:
    known = set(
        re.findall(r"`(GOCLAW_\w+)`", (ROOT / "docs/configuration.md").read_text())
    )
    named = set(re.findall(r"GOCLAW_[A-Z_]+[A-Z]", file.read_text()))
    assert sorted(named - known) == []


def test_the_image_is_made_of_what_is_there() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    assert len(copied) > 5
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored, name
    packages = {path.parent.name for path in ROOT.glob("*/apps.py")} | {"goclaw"}
    assert packages <= set(copied)


def test_the_services_fit_together() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    server, database = services["server"], services["database"]
    url = server["environment"]["GOCLAW_DATABASE_URL"]
    user, name = (database["environment"][f"POSTGRES_{n}"] for n in ("USER", "DB"))
    assert url == f"postgres://{user}:${{DATABASE_PASSWORD}}@database:5432/{name}"
    assert server["ports"] == ["127.0.0.1:8000:8000"]
    assert server["init"] is True
    dockerfile = DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]
    assert dockerfile.resolve() == (DEPLOY / "Dockerfile").resolve()


def test_the_unit_stops_as_the_supervisor_wants() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[method-assign, assignment]
    unit.read(DEPLOY / "goclaw.service")
    service = unit["Service"]
    assert service["ExecStart"].endswith("/.venv/bin/goclaw up")
    assert service["KillMode"] == "mixed"
    state = f"GOCLAW_STATE_DIR=/var/lib/{service['StateDirectory']}"
    assert service["Environment"] == state
