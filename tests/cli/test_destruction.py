"""What destroys asks first, shows counts, and says where the copy is."""

from pathlib import Path

import pytest
from django.db import connection

from accounts.models import User
from memory.models import Memory
from tests.cli.conftest import Run
from tests.people import Api, api_for, make_user

pytestmark = pytest.mark.django_db(transaction=True)
DONE = ("--yes", "--backed-up")


@pytest.fixture
def notes(server: User, api: Api) -> None:
    for number in range(3):
        api.write(f"old note {number}", "agent_notes", domain="old")
    api.write("kept", "agent_notes")


def test_without_anybody_to_ask_nothing_happens(goclaw: Run, notes: None) -> None:
    for command in (
        ("forget", "--scope", "agent_notes"),
        ("clear", "--scope", "agent_notes"),
        ("clear-user", "admin"),
    ):
        ran = goclaw("memory", *command)
        assert ran.code == 2
        assert "Add --yes" in ran.err
    assert Memory.objects.filter(forgotten_at=None).count() == 4


def test_a_dry_run_counts(goclaw: Run, notes: None) -> None:
    command = ("memory", "forget", "--scope", "agent_notes", "--domain", "old")
    ran = goclaw(*command, "--dry-run")
    assert "Nothing was changed." in ran.out
    assert ["matched", "3"] in [line.split() for line in ran.out.splitlines()]
    assert goclaw(*command, "--dry-run", "--json").json["counts"]["matched"] == 3


def test_records_are_forgotten_and_restored(goclaw: Run, notes: None) -> None:
    ran = goclaw("memory", "forget", "--scope", "agent_notes", "--domain", "old", *DONE)
    assert "Forgot 3 records" in ran.out
    if connection.vendor == "sqlite":
        assert "backups/gc_state_" in ran.out
    one = Memory.objects.filter(domain="old").first()
    assert one is not None
    assert "is back in agent_notes" in goclaw("memory", "restore", str(one.uid)).out
    ran = goclaw("memory", "forget", str(one.uid), *DONE, "--json")
    assert ran.json["counts"]["forgotten"] == 1


def test_a_scope_is_cleared(goclaw: Run, notes: None) -> None:
    ran = goclaw("memory", "clear", "--scope", "agent_notes", *DONE)
    assert "Deleted 4 records." in ran.out
    assert not Memory.objects.exists()


def test_a_person_is_erased(goclaw: Run, server: User) -> None:
    api_for(make_user("mira")).write("her diary")
    ran = goclaw("memory", "clear-user", "mira", "--account", *DONE)
    assert "Erased mira; searches find nothing of it." in ran.out
    assert not Memory.objects.exists()
    assert not User.objects.filter(username="mira").exists()
    assert goclaw("memory", "clear-user", "mira", *DONE).code == 5


def test_the_catalogue_goes_out_and_in(
    goclaw: Run, notes: None, tmp_path: Path
) -> None:
    file = tmp_path / "catalogue.jsonl"
    assert "Saved 4 records" in goclaw("memory", "export", "--file", file).out
    assert goclaw("memory", "export").out == file.read_text()
    Memory.objects.all().delete()
    tried = goclaw("memory", "import", "--file", file, "--dry-run", "--json")
    assert tried.json["counts"]["created"] == 4
    assert goclaw("memory", "import", "--file", file).code == 2
    done = goclaw("memory", "import", "--file", file, *DONE, "--json")
    assert done.json["counts"]["created"] == 4
    again = goclaw("memory", "import", *DONE, "--json", stdin=file.read_text())
    assert again.json["counts"] == {
        "created": 0,
        "updated": 0,
        "skipped": 4,
        "refused": 0,
    }


def test_refused_lines_are_named(goclaw: Run, server: User, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(
        '{"format": "goclaw-catalogue", "version": 1}\n'
        '{"scope": "personal", "content": "no"}\n'
    )
    ran = goclaw("memory", "import", "--file", file, *DONE)
    assert ran.code == 1
    assert "Line 2: Only agent_notes and agent_config" in ran.err
    missing = goclaw("memory", "import", "--file", tmp_path / "none", *DONE)
    assert (missing.code, "Cannot read" in missing.err) == (2, True)
