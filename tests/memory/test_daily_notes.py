"""Daily notes: appended once, by many at a time, on the day it is for the person."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from memory.daily import appended
from memory.models import Memory
from tests.people import Api, api_for, make_admin, make_user

PATH = "/workspace/daily"


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.GOCLAW_STATE_DIR = tmp_path
    return tmp_path / "workspace/memory"


@pytest.mark.django_db
def test_a_note_is_in_the_file_and_found_at_once(folder: Path, admin_api: Api) -> None:
    answer = admin_api.post(PATH, {"content": "The heron is back.\n"})
    assert answer.status_code == 201, answer.json()
    place = answer.json()["path"]
    assert place == f"memory/{answer.json()['date']}.md"
    text = (folder.parent / place).read_text()
    assert text == f"# {answer.json()['date']}\n\nThe heron is back.\n"
    [hit] = admin_api.search("heron")
    assert (hit["path"], hit["kind"], hit["scope"]) == (place, "note", "workspace")
    again = admin_api.post(PATH, {"content": "The heron is back."})
    assert (again.status_code, again.json()["deduplicated"]) == (200, True)
    other = admin_api.post(PATH, {"content": "The heron"})
    assert other.status_code == 201
    assert (folder.parent / place).read_text() == text + "\nThe heron\n"
    assert list(folder.glob(".*")) == []


@pytest.mark.django_db
def test_what_a_person_has_written_there_stays(folder: Path, admin_api: Api) -> None:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    folder.mkdir(parents=True)
    (folder / f"{today}.md").write_bytes("mine, without an end\r\nand ü".encode())
    admin_api.post(PATH, {"content": "another"})
    text = (folder / f"{today}.md").read_bytes().decode()
    assert text == "mine, without an end\r\nand ü\n\nanother\n"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("run", "status"), [("chat", 403), ("sop", 201), ("cron", 201), ("webhook", 403)]
)
def test_writers_are_those_of_agent_notes_without_webhooks(
    folder: Path, alice: User, admin: User, run: str, status: int
) -> None:
    assert api_for(alice, run=run).post(PATH, {"content": "x"}).status_code == status
    by_admin = 403 if run == "webhook" else 201
    answer = api_for(admin, run=run).post(PATH, {"content": "y"})
    assert answer.status_code == by_admin
    assert folder.exists() is (by_admin == 201)


@pytest.mark.django_db
def test_bad_notes_change_nothing(folder: Path, admin_api: Api) -> None:
    for content in ("", " \n", "a\0b", "x" * 70_000):
        answer = admin_api.post(PATH, {"content": content})
        assert answer.status_code in {400, 413}
        assert answer.json()["error"]["field"] == "content"
    assert admin_api.post(PATH, {"content": "x", "agent": "../x"}).status_code == 400
    assert not folder.exists()
    folder.mkdir(parents=True)
    outside = folder.parent.parent / "outside.md"
    outside.write_text("secret")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    (folder / f"{today}.md").symlink_to(outside)
    assert admin_api.post(PATH, {"content": "x"}).status_code == 400
    assert outside.read_text() == "secret"
    (folder / f"{today}.md").unlink()
    (folder / f"{today}.md").write_bytes(b"caf\xe9")
    answer = admin_api.post(PATH, {"content": "x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (
        409,
        "unreadable_file",
    )
    assert (folder / f"{today}.md").read_bytes() == b"caf\xe9"


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_are_all_there_and_none_twice(folder: Path) -> None:
    api = api_for(make_admin(), run="cron")
    texts = [f"note {n % 10}\nof writer {n % 10}" for n in range(20)]
    barrier, statuses = threading.Barrier(20), []

    def write(text: str) -> None:
        barrier.wait()
        statuses.append(api.post(PATH, {"content": text}).status_code)
        connection.close()

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] * 10 + [201] * 10
    [file] = folder.glob("*.md")
    written = file.read_text()
    for text in texts:
        assert written.count(f"\n{text}\n") == 1
    assert Memory.objects.get(source_key__startswith="memory/").content == written


# (zone, a moment in UTC, the date there): midnight, and the hours that are left out or
# come twice when the clocks change.
DAYS = [
    ("Asia/Tokyo", "2026-11-29T14:59:59", "2026-11-29"),
    ("Asia/Tokyo", "2026-11-29T15:00:00", "2026-11-30"),
    ("Asia/Kathmandu", "2026-11-29T18:14:59", "2026-11-29"),
    ("Asia/Kathmandu", "2026-11-29T18:15:00", "2026-11-30"),
    ("Europe/Berlin", "2027-03-27T22:59:59", "2027-03-27"),
    ("Europe/Berlin", "2027-03-27T23:00:00", "2027-03-28"),
    ("Europe/Berlin", "2027-03-28T21:59:59", "2027-03-28"),
    ("Europe/Berlin", "2027-03-28T22:00:00", "2027-03-29"),
    ("Europe/Berlin", "2026-10-25T22:59:59", "2026-10-25"),
    ("Europe/Berlin", "2026-10-25T23:00:00", "2026-10-26"),
    ("America/Los_Angeles", "2026-11-01T06:59:59", "2026-10-31"),
    ("America/Los_Angeles", "2026-11-01T07:00:00", "2026-11-01"),
    ("America/Los_Angeles", "2026-11-02T07:59:59", "2026-11-01"),
    ("America/Los_Angeles", "2026-11-02T08:00:00", "2026-11-02"),
    ("America/Los_Angeles", "2027-03-15T06:59:59", "2027-03-14"),
    ("America/Los_Angeles", "2027-03-15T07:00:00", "2027-03-15"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("zone", "moment", "day"), DAYS)
def test_the_day_is_that_of_the_person(
    folder: Path, zone: str, moment: str, day: str
) -> None:
    api = api_for(make_user("kai", timezone=zone), run="cron")
    with time_machine.travel(datetime.fromisoformat(f"{moment}+00:00"), tick=False):
        answer = api.post(PATH, {"content": "x"}).json()
    assert answer["date"] == day
    assert (folder / f"{day}.md").is_file()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab\n ", min_size=1, max_size=6), max_size=8))
def test_nothing_is_lost_and_nothing_stands_twice(notes: list[str]) -> None:
    text = ""
    for note in notes:
        before, text = text, appended(text, note, title="today")
        assert text.startswith(before.rstrip("\n"))
        assert f"\n{note.strip(chr(10))}\n" in f"\n{text}\n"
        assert appended(text, note, title="today") == text
