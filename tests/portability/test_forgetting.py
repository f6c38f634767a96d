"""Many records forgotten, whole scopes cleared: counted first, copied, then gone."""

import sqlite3
from pathlib import Path

import pytest
from django.db import connection

from memory.models import Chunk, Embedding, Memory, Revision
from tests.people import Api

pytestmark = pytest.mark.django_db
ON_SQLITE = {"dry_run": False}


def careful(**fields: object) -> dict[str, object]:
    """Return a body that really does it, on either database."""
    return {"dry_run": False, "backed_up": True, **fields}


@pytest.fixture
def notes(admin_api: Api) -> Api:
    for number in range(5):
        admin_api.write(f"old cluster note {number}", "agent_notes", domain="old")
    admin_api.write("the new cluster", "agent_notes", domain="new")
    admin_api.write("mine", "personal")
    return admin_api


def test_without_a_word_nothing_is_changed(notes: Api) -> None:
    body = {"scope": "agent_notes", "domain": "old"}
    for path in ("/memory/forget", "/memory/clear"):
        answer = notes.post(path, body).json()
        assert answer["dry_run"] is True
        assert answer["safety_copy"] is None
        assert 5 in answer["counts"].values()
    assert len(notes.search("old cluster note", max_results=10)) >= 5


def test_what_matches_is_forgotten_and_can_be_restored(notes: Api) -> None:
    body = careful(scope="agent_notes", domain="old")
    done = notes.post("/memory/forget", body).json()
    assert done["counts"] == {"matched": 5, "not_allowed": 0, "forgotten": 5}
    assert notes.search("old cluster note", domains=["old"]) == []
    assert Chunk.objects.filter(memory__domain="old").count() == 0
    one = Memory.objects.filter(domain="old").first()
    assert one is not None
    assert notes.post(f"/memory/records/{one.uid}/restore").status_code == 200
    assert len(notes.search("old cluster note", domains=["old"])) == 1


def test_ids_are_taken_too_and_all_have_to_be_there(notes: Api) -> None:
    ids = [str(m.uid) for m in Memory.objects.filter(domain="old")[:2]]
    missing = "00000000-0000-4000-8000-000000000000"
    body = careful(ids=[*ids, missing])
    assert notes.post("/memory/forget", body).status_code == 404
    done = notes.post("/memory/forget", careful(ids=ids)).json()
    assert done["counts"]["forgotten"] == 2
    assert notes.post("/memory/forget", careful()).status_code == 400


def test_others_records_are_neither_counted_nor_touched(
    notes: Api, alice_api: Api
) -> None:
    alice_api.write("hers", "personal")
    done = alice_api.post("/memory/forget", careful(scope="agent_notes")).json()
    assert done["counts"] == {"matched": 6, "not_allowed": 6, "forgotten": 0}
    mine = alice_api.post("/memory/forget", careful(scope="personal")).json()
    assert mine["counts"]["forgotten"] == 1
    hers = Memory.objects.get(content="mine")
    answer = alice_api.post("/memory/forget", careful(ids=[str(hers.uid)]))
    assert answer.status_code == 404


def test_a_scope_is_cleared_for_good(
    notes: Api, alice_api: Api, run_jobs: object
) -> None:
    forgotten = Memory.objects.filter(domain="old").first()
    assert forgotten is not None
    notes("delete", f"/memory/records/{forgotten.uid}")
    refused = alice_api.post("/memory/clear", careful(scope="agent_notes"))
    assert refused.status_code == 403
    run_jobs()  # type: ignore[operator]
    done = notes.post("/memory/clear", careful(scope="agent_notes", domain="old"))
    assert done.json()["counts"]["records"] == 5
    left = Memory.objects.values_list("content", flat=True)
    assert sorted(left) == ["mine", "the new cluster"]
    assert Chunk.objects.count() == 2
    assert Embedding.objects.count() == 2
    assert Revision.objects.count() == 0
    assert notes.search("old cluster note", domains=["old"]) == []


def test_personal_is_ones_own(notes: Api, alice_api: Api) -> None:
    alice_api.write("hers", "personal")
    notes.post("/memory/clear", careful(scope="personal"))
    left = Memory.objects.filter(scope="personal").values_list("content", flat=True)
    assert list(left) == ["hers"]


@pytest.mark.parametrize("scope", ["wiki", "workspace", "nowhere", ""])
def test_mirrors_are_not_cleared(admin_api: Api, scope: str) -> None:
    assert admin_api.post("/memory/clear", careful(scope=scope)).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_the_copy_that_is_made_before_has_what_was_destroyed(notes: Api) -> None:
    body = {"scope": "agent_notes", "dry_run": False}
    if connection.vendor == "postgresql":
        refused = notes.post("/memory/clear", body)
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "backup_needed"
        assert "pg_dump" in refused.json()["error"]["remedy"]
        assert Memory.objects.filter(scope="agent_notes").count() == 6
        return
    done = notes.post("/memory/clear", body).json()
    copy = Path(done["safety_copy"])
    assert copy.stat().st_mode & 0o777 == 0o600
    assert done["copy_deleted_at"]
    rows = sqlite3.connect(copy)
    (count,) = rows.execute("SELECT count(*) FROM memories").fetchone()
    rows.close()
    assert count == 7
    assert Memory.objects.count() == 1
