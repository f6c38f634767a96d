"""Backups that really restore, also the copies made before destruction."""

import contextlib
import io
import os
import sqlite3
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest
from django.db import connection

from memory.backups import copying
from tests.portability.installation import Installation, copied, installed

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(
        bool(os.environ.get("GOCLAW_DATABASE_URL", "").startswith("postgres")),
        reason="an SQLite database of its own",
    ),
]

WRITE = """
from accounts.models import User
from accounts.actors import actor_for_user
from memory.drafts import Draft
from memory import records
user, _ = User.objects.get_or_create(username="mira")
for text in sys.argv[1:]:
    draft = Draft(scope="personal", content=text)
    records.write(actor=actor_for_user(user), draft=draft)
"""
SEARCH = """
from accounts.models import User
from accounts.actors import actor_for_user
from memory.search import SearchQuery, search
actor = actor_for_user(User.objects.get(username="mira"))
found = search(actor, SearchQuery(text=sys.argv[1], min_score=0))
print(json.dumps([hit.snippet for hit in found.hits]))
"""


@pytest.fixture(scope="module")
def mother(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return installed(tmp_path_factory.mktemp("mother"))


@pytest.fixture
def home(mother: Installation, tmp_path: Path) -> Installation:
    """Return a fresh installation."""
    return copied(mother, tmp_path / "state")


def test_a_backup_is_put_back_with_everything(home: Installation) -> None:
    home.python(WRITE, "the heron nests in May")
    media = home.state_dir / "media" / "ab" / "picture"
    media.parent.mkdir(parents=True)
    media.write_bytes(b"\x89PNG")
    note = home.state_dir / "workspace" / "memory" / "2026-01-02.md"
    note.parent.mkdir(parents=True)
    note.write_text("- wrote a note\n")
    saved = home.json("backup")
    assert saved["database"] is True

    home.python(WRITE, "written after the backup")
    media.write_bytes(b"changed")
    note.unlink()
    home.goclaw("restore", saved["file"], code=2)  # nobody confirms
    assert media.read_bytes() == b"changed"
    tried = home.json("restore", saved["file"], "--dry-run")
    assert tried["restored"] == ["gc_state.sqlite", "media", "workspace"]
    done = home.json("restore", saved["file"], "--yes")

    assert media.read_bytes() == b"\x89PNG"
    assert note.read_text() == "- wrote a note\n"
    assert home.python(SEARCH, "heron nests") == ["the heron nests in May"]
    assert home.python(SEARCH, "written after the backup") == []

    # What was there before the restore can be put back as well.
    home.goclaw("restore", done["before"], "--yes")
    assert home.python(SEARCH, "written after") == ["written after the backup"]
    assert media.read_bytes() == b"changed"


def test_the_copy_is_whole_while_others_write(home: Installation) -> None:
    home.python(WRITE, "first")
    writer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import django; django.setup()\nimport sys\n"
            + WRITE.replace("sys.argv[1:]", "(f'text {n}' for n in range(10**6))"),
        ],
        env=home.environment(),
    )
    database = home.state_dir / "gc_state.sqlite"

    def count() -> int:
        with contextlib.closing(sqlite3.connect(database)) as rows:
            return int(rows.execute("SELECT count(*) FROM memories").fetchone()[0])

    try:
        end = time.monotonic() + 30
        while count() < 20:
            assert time.monotonic() < end
        saved = home.json("backup")
        assert writer.poll() is None
        busy = home.goclaw("restore", saved["file"], "--yes", code=6)
        assert "Stop" in busy.stderr
    finally:
        writer.kill()
        writer.wait()
    home.goclaw("restore", saved["file"], "--yes")
    with contextlib.closing(sqlite3.connect(database)) as rows:
        assert rows.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert count() >= 20


def test_a_server_that_runs_is_not_restored_over(home: Installation) -> None:
    saved = home.json("backup")
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, pathlib, time\nfrom goclaw.lib.state import alone_with\n"
            "with alone_with(pathlib.Path(sys.argv[1])):\n"
            "    print('held', flush=True); time.sleep(60)",
            str(home.state_dir),
        ],
        stdout=subprocess.PIPE,
        env=home.environment(),
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        refused = home.goclaw("restore", saved["file"], "--yes", code=6)
        assert f"Process {holder.pid} serves this state directory." in refused.stderr
    finally:
        holder.kill()
        holder.wait()


@pytest.mark.parametrize("damage", ["cut", "no archive", "other format"])
def test_what_is_damaged_changes_nothing(home: Installation, damage: str) -> None:
    home.python(WRITE, "still here")
    saved = Path(home.json("backup")["file"])
    if damage == "cut":
        saved.write_bytes(saved.read_bytes()[: saved.stat().st_size // 2])
    elif damage == "no archive":
        saved.write_bytes(b"hello")
    else:
        with tarfile.open(saved, "w:gz") as archive:
            entry = tarfile.TarInfo("manifest.json")
            entry.size = 15
            archive.addfile(entry, io.BytesIO(b'{"format": 999}'))
    refused = home.goclaw("restore", saved, "--yes", code=2)
    assert "Traceback" not in refused.stderr
    assert home.python(SEARCH, "still here") == ["still here"]


def test_secrets_go_along_only_when_asked(home: Installation, tmp_path: Path) -> None:
    def names(*options: str) -> set[str]:
        saved = home.json("backup", "--to", str(tmp_path / "to"), *options)["file"]
        assert Path(saved).stat().st_mode & 0o777 == 0o600
        with tarfile.open(saved) as archive:
            return {name.split("/")[0] for name in archive.getnames()}

    assert "credentials" not in names()
    time.sleep(1.1)  # the name has the second
    assert "credentials" in names("--credentials")


def test_only_so_many_are_kept(home: Installation, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for day in range(10, 15):
        (folder / f"goclaw_202601{day}T010000Z.tar.gz").touch()
    (folder / "somebody's.tar.gz").touch()
    home.goclaw("backup", "--to", folder, "--keep", "3")
    left = sorted(path.name for path in folder.iterdir())
    assert left[:2] == ["goclaw_20260113T010000Z.tar.gz", left[1]]
    assert len(left) == 4
    assert "somebody's.tar.gz" in left


def test_the_nightly_job_saves_and_tidies(home: Installation) -> None:
    backups = home.state_dir / "backups"
    old = backups / "gc_state_20200101T000000Z.sqlite"
    old.touch()
    os.utime(old, (0, 0))
    (backups / f"{old.name}.files").mkdir()
    killed = backups / ".goclaw_20200101T000000Z.tar.gz.1.part"
    killed.touch()
    os.utime(killed, (0, 0))
    young = backups / "gc_state_20990101T000000Z.sqlite"
    young.touch()
    counts = home.python(
        "from memory.models import JobKind, Job\n"
        "from memory import queue, runner\n"
        "job = queue.enqueue(JobKind.BACKUP)\n"
        "runner.run(job.pk)\n"
        "job.refresh_from_db()\n"
        "print(json.dumps([job.state, job.result['old_copies']]))"
    )
    assert counts == ["done", 1]
    assert not old.exists()
    assert not killed.exists()
    assert not (backups / f"{old.name}.files").exists()
    assert young.exists()
    assert len(list(backups.glob("goclaw_*.tar.gz"))) == 1


def test_a_stop_breaks_the_nightly_job_off_and_it_begins_anew(
    home: Installation,
) -> None:
    folder = home.state_dir / "media"
    folder.mkdir(exist_ok=True)
    (folder / "large").write_bytes(os.urandom(3 * 1024 * 1024))
    states = home.python(
        "from goclaw.lib import stopping\n"
        "from memory.models import JobKind, Job\n"
        "from memory import queue, runner\n"
        "job = queue.enqueue(JobKind.BACKUP)\n"
        "states = []\n"
        "for stop in (1, 0):\n"
        "    stopping._flag[0] = stop\n"
        "    Job.objects.update(run_at=job.created_at)\n"
        "    runner.run(job.pk)\n"
        "    job.refresh_from_db()\n"
        "    states += [job.state, job.attempts]\n"
        "print(json.dumps(states))"
    )
    assert states == ["queued", 0, "done", 1]
    names = [path.name for path in (home.state_dir / "backups").iterdir()]
    assert [name.endswith(".tar.gz") for name in names] == [True]


@pytest.mark.django_db
def test_two_copies_of_a_second_do_not_collide() -> None:
    assert connection.vendor == "sqlite"
    made = [copying.safety_copy(backed_up=False) for _ in range(3)]
    assert len({copy.path for copy in made if copy}) == 3
