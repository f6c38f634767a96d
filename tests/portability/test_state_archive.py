"""The whole state moves between databases and comes back the same."""

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from goclaw.state_archive import tables
from tests.portability.contents import COUNTS, LOOK, MAKE
from tests.portability.installation import Installation, copied, installed
from tests.postgres_server import running_server

pytestmark = pytest.mark.cluster

SIZE = int(os.environ.get("GOCLAW_TEST_RECORDS", "120"))

alone = pytest.mark.skipif(
    os.environ.get("GOCLAW_DATABASE_URL", "").startswith("postgres"),
    reason="brings databases of both kinds itself",
)
EVERYTHING = ("--sessions", "--files", "--attachments")


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with running_server() as url:
        yield url


@pytest.fixture(scope="module")
def mother(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return an installation that nobody has used."""
    return installed(tmp_path_factory.mktemp("mother"))


@pytest.fixture
def home(mother: Installation, tmp_path: Path) -> Installation:
    """Return another one."""
    return copied(mother, tmp_path / "home")


@pytest.fixture(scope="module")
def source(
    mother: Installation, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Installation, str]:
    """Return an installation with a state of every kind, and a key to it."""
    home = copied(mother, tmp_path_factory.mktemp("all") / "source")
    secret = home.python(MAKE, str(SIZE))
    note = home.state_dir / "workspace" / "Memory.md"
    note.write_text("- the gauge is read at six\n")
    return home, secret


@pytest.fixture(scope="module")
def exported(
    source: tuple[Installation, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    file = tmp_path_factory.mktemp("out") / "state.gclaw"
    return file, source[0].json("db", "export", "--output", file, *EVERYTHING)


@alone
def test_it_goes_to_postgres_and_comes_back_the_same(
    source: tuple[Installation, str],
    exported: tuple[Path, dict[str, Any]],
    postgres: str,
    home: Installation,
    tmp_path: Path,
) -> None:
    origin, secret = source
    file, about = exported
    counts, looks = origin.python(COUNTS), origin.python(LOOK, secret)
    assert counts["memory.memory"] > SIZE
    assert counts["memory.veto"] == 1
    assert looks["facts"][0][1] == looks["uids"][1]
    assert (looks["own"], looks["not_hers"]) == (["mira's own"], [])
    assert (looks["key"], looks["html"], looks["unentered"]) == (200, True, 0)

    there = installed(tmp_path / "postgres", postgres)
    arrived = there.json("db", "import", file)
    assert arrived["hashes"] == about["hashes"]
    assert there.python(COUNTS) == counts
    again = tmp_path / "again.gclaw"
    there.json("db", "export", "--output", again, *EVERYTHING)
    assert there.python(LOOK, secret) == looks
    assert (there.state_dir / "workspace" / "Memory.md").read_text().startswith("- the")

    back = home
    returned = back.json("db", "import", again)
    assert returned["hashes"] == about["hashes"]
    assert back.python(COUNTS) == counts
    assert back.python(LOOK, secret) == looks
    # New rows are numbered after those that came with their numbers.
    there.python("from accounts.models import User\nUser.objects.create_user('new')")


@alone
def test_what_is_not_empty_is_replaced_only_by_force(
    exported: tuple[Path, dict[str, Any]], home: Installation
) -> None:
    file, about = exported
    home.python(MAKE, "3")
    before = home.python(COUNTS)
    refused = home.goclaw("db", "import", file, code=6)
    assert "--force" in refused.stderr
    assert home.python(COUNTS) == before
    done = home.json("db", "import", file, "--force", "--yes")
    assert done["hashes"] == about["hashes"]
    assert Path(done["safety_copy"]).exists()
    home.goclaw("restore", done["safety_copy"], "--yes")
    assert home.python(COUNTS) == before


@alone
def test_an_import_that_is_killed_leaves_nothing_and_can_be_repeated(
    exported: tuple[Path, dict[str, Any]], home: Installation
) -> None:
    file, about = exported
    before = home.python(COUNTS)
    slow = (
        "import sys, time\nimport goclaw.state_archive.values as v\n"
        "add = v.Digest.add\n"
        "def slowly(self, row):\n"
        "    print('row', flush=True); time.sleep(0.05); add(self, row)\n"
        "v.Digest.add = slowly\n"
        "from goclaw.cli import main\nmain(sys.argv[1:])"
    )
    running = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import django; django.setup()\n" + slow,
            "db",
            "import",
            str(file),
        ],
        env=home.environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    for _ in range(40):
        assert running.stdout.readline() == "row\n"
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert home.python(COUNTS) == before
    assert home.json("db", "import", file)["hashes"] == about["hashes"]
    again = home.json("db", "import", file)  # as if killed after the last row
    assert again["resumed"] is True


@alone
@pytest.mark.parametrize("damage", ["cut", "row", "file", "elsewhere", "newer"])
def test_a_damaged_file_changes_nothing(
    exported: tuple[Path, dict[str, Any]],
    home: Installation,
    tmp_path: Path,
    damage: str,
) -> None:
    file, _ = exported
    bad = tmp_path / "bad.gclaw"
    if damage == "cut":
        bad.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    else:
        _rewrite(file, bad, damage)
    before = home.python(COUNTS)
    refused = home.goclaw("db", "import", bad, code=2)
    assert "Traceback" not in refused.stderr
    assert home.python(COUNTS) == before
    assert not (tmp_path / "escaped").exists()


def _rewrite(file: Path, bad: Path, damage: str) -> None:
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if damage == "row" and entry.filename == "tables/memory.memory.jsonl":
                data = data.replace(b"Note 5", b"Note 6")
            if damage == "file" and entry.filename.startswith("files/media"):
                data += b"x"
            if entry.filename == "manifest.json":
                about = json.loads(data)
                if damage == "newer":
                    about["version"] = 2
                if damage == "elsewhere":
                    about["files"][0]["name"] = "workspace/../../escaped"
                data = json.dumps(about).encode()
            new.writestr(entry.filename, data)


@alone
def test_what_was_not_asked_for_stays_behind(
    source: tuple[Installation, str], home: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "small.gclaw"
    about = source[0].json("db", "export", "--output", file)
    assert "memory.message" not in about["hashes"]
    assert about["files"] == 0
    assert home.json("db", "import", file)["hashes"] == about["hashes"]
    assert home.python(COUNTS)["memory.session"] == 0


@alone
def test_migrate_moves_everything_and_leaves_the_source(
    source: tuple[Installation, str], postgres: str, tmp_path: Path
) -> None:
    url = _new_database(postgres)
    here, secret = copied(source[0], tmp_path / "state"), source[1]
    before = here.python(COUNTS)
    asked = here.goclaw("memory", "migrate", "--to", url, code=2)
    assert "Add --yes" in asked.stderr
    done = here.json("memory", "migrate", "--to", url, "--yes")
    assert done["verified"] > 20
    assert "secret" not in str(done)
    assert here.python(COUNTS) == before
    there = Installation(here.state_dir, url)
    assert there.python(COUNTS) == before
    assert there.python(LOOK, secret) == here.python(LOOK, secret)
    taken = here.goclaw("memory", "migrate", "--to", url, "--yes", code=6)
    assert "There is something in this database already." in taken.stderr


@alone
@pytest.mark.parametrize(
    ("url", "code"), [("nowhere", 2), ("postgres://127.0.0.1:1/nothing", 1)]
)
def test_migrate_to_where_no_database_is_says_so(
    home: Installation, url: str, code: int
) -> None:
    refused = home.goclaw("memory", "migrate", "--to", url, "--yes", code=code)
    assert "the source is as it was" in refused.stderr
    assert "Traceback" not in refused.stderr


def _new_database(url: str) -> str:
    import psycopg

    name = f"migrated_{time.monotonic_ns()}"
    with psycopg.connect(url, autocommit=True) as database:
        database.execute(f"CREATE DATABASE {name}")
    head, _, query = url.partition("?")
    return f"{head.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")


def test_every_table_of_ours_is_in_the_file_or_named_as_made_anew() -> None:
    known = {
        model._meta.label_lower
        for app in tables.APPS
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    }
    written = {tables.label(table) for table in tables.plan(sessions=True).tables}
    assert known - written == tables.DERIVED | tables.PASSING
    assert known >= tables.DERIVED | tables.PASSING | tables.SESSIONS
    assert written - known == {"auth.group", "auth.group_permissions"}
    without = {tables.label(table) for table in tables.plan(sessions=False).tables}
    assert written - without == tables.SESSIONS


def test_only_references_to_what_is_made_anew_are_dropped() -> None:
    assert tables.plan(sessions=True).dropped == {"memory.message.embedded_by_id"}
