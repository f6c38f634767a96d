"""A person is erased: nothing of them is left, and others keep what is theirs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, models
from rest_framework.test import APIClient

from accounts.models import ApiKey, AuditEntry, Identity, User
from memory.erasing import ownership
from memory.models import (
    Chunk,
    Embedding,
    IdempotentAnswer,
    Memory,
    Message,
    RecallLog,
    Session,
    Space,
)
from tests.people import Api, api_for

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "xylophone"


@pytest.fixture
def mira(db: None) -> User:
    return User.objects.create_user("mira", first_name="Mira")


@pytest.fixture
def admins(admin: User) -> Api:
    return api_for(admin, may_act_for_others=True)


def erase(api: Api, **fields: Any) -> Any:
    body = {"username": "mira", "dry_run": False, "backed_up": True, **fields}
    return api.post("/memory/clear-user", body)


def live_a_life(mira: User, admins: Api, run_jobs: Callable[[], int]) -> None:
    """Have the person write, talk, search and upload, alone and with others."""
    own = api_for(mira)
    for number in range(3):
        own.write(f"{SECRET} diary {number}")
    own.post(
        "/memory/records",
        {"scope": "personal", "content": f"{SECRET} once"},
        Idempotency_Key="k1",
    )
    edited = own.write(f"{SECRET} before")
    own("patch", f"/memory/records/{edited['id']}", {"content": f"{SECRET} after"})
    upload = SimpleUploadedFile("diary.txt", f"{SECRET} in a file".encode())
    sent = APIClient().post(
        "/api/files",
        {"file": upload, "scope": "personal"},
        format="multipart",
        headers={"Authorization": f"Bearer {own.secret}"},
    )
    assert sent.status_code == 201, sent.json()
    as_mira = {"X-GoClaw-User": "mira"}
    direct = admins(
        "post",
        "/sessions",
        {"agent": "default"},
        **as_mira,
        X_GoClaw_Conversation="direct",
    ).json()
    talk(admins, direct["id"], as_mira, "direct", [f"{SECRET} {n}" for n in range(8)])
    admins(
        "post",
        f"/sessions/{direct['id']}/trim",
        {"force": True},
        **as_mira,
        X_GoClaw_Conversation="direct",
    )
    shared = admins(
        "post",
        "/sessions",
        {"agent": "default", "participants": ["admin"]},
        **as_mira,
        X_GoClaw_Conversation="shared",
    ).json()
    talk(admins, shared["id"], as_mira, "shared", [f"{SECRET} {n}" for n in range(8)])
    talk(admins, shared["id"], {}, "shared", ["hello from the admin"])
    admins(
        "post",
        f"/sessions/{shared['id']}/trim",
        {"force": True},
        **as_mira,
        X_GoClaw_Conversation="shared",
    )
    run_jobs()
    own.search(SECRET)
    own.search("cluster")


def talk(
    api: Api, session: str, who: dict[str, str], kind: str, texts: list[str]
) -> None:
    messages = [{"role": "user", "content": text} for text in texts]
    answer = api(
        "post",
        f"/sessions/{session}/messages",
        {"messages": messages},
        **who,
        X_GoClaw_Conversation=kind,
    )
    assert answer.status_code in {200, 201}, answer.json()


def traces() -> list[str]:
    """Return where in database and files the secret word still stands."""
    found = []
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            found += [table for row in cursor.fetchall() if SECRET in str(row)]
    for folder in ("workspace", "agents", "media"):
        for path in (Path(settings.GOCLAW_STATE_DIR) / folder).rglob("*"):
            if path.is_file() and SECRET.encode() in path.read_bytes():
                found.append(str(path))
    return found


def test_nothing_is_left_of_them(
    mira: User, admins: Api, run_jobs: Callable[[], int]
) -> None:
    live_a_life(mira, admins, run_jobs)
    admins.write("the cluster of all", "agent_notes")
    assert {"memories", "memory_messages", "wiki_attachments"} <= set(traces())
    assert any("archive" in place for place in traces())

    records = Memory.objects.filter(owner=mira).count()
    expected = erase(admins, dry_run=True).json()["counts"]
    assert traces()
    done = erase(admins)
    assert done.status_code == 200, done.json()
    counts = done.json()["counts"]

    assert traces() == []
    assert {name: counts[name] for name in expected} == expected
    assert counts["records"] == records > 5
    assert counts["files"] == counts["stored_files"] == 1
    assert (counts["sessions"], counts["archives"]) == (1, 1)
    assert counts["messages_blanked"] > 0
    assert counts["vectors"] > 0
    assert counts["found"] == 0
    assert counts["searched"] > 3
    assert Session.objects.get().participants.get().username == "admin"
    assert not Space.objects.filter(owner=mira).exists()
    assert not RecallLog.objects.filter(user=mira).exists()
    assert not IdempotentAnswer.objects.filter(user=mira).exists()
    assert Memory.objects.get().content == "the cluster of all"
    assert Chunk.objects.count() == 1
    assert Embedding.objects.exclude(chunk__memory__scope="agent_notes").count() == 0
    assert User.objects.filter(username="mira").exists()


def test_others_keep_what_they_said(
    mira: User, admins: Api, run_jobs: Callable[[], int]
) -> None:
    live_a_life(mira, admins, run_jobs)
    erase(admins)
    said = Message.objects.filter(session__kind="shared").order_by("position")
    texts = list(said.values_list("content", flat=True))
    assert texts[-1] == "hello from the admin"
    assert set(texts[:-1]) <= {"[erased]"}
    session = Session.objects.get()
    assert session.last_position == 9
    seen = admins(
        "get", f"/sessions/{session.uid}/export", X_GoClaw_Conversation="shared"
    )
    assert [turn["content"] for turn in seen.json()["history"]] == (
        ["[erased]"] * 8 + ["hello from the admin"]
    )


def test_the_account_goes_when_asked(mira: User, admins: Api) -> None:
    key = api_for(mira)
    Identity.objects.create(user=mira, channel="mail", account="a", sender="mira@x")
    admins.write("shared by the admin", "agent_notes")
    note = Memory.objects.get()
    Memory.objects.update(created_by=mira)
    assert erase(admins, account=True).status_code == 200
    note.refresh_from_db()
    assert note.created_by is None
    assert not User.objects.filter(username="mira").exists()
    assert not Identity.objects.exists()
    assert not ApiKey.objects.filter(label__contains="mira").exists()
    assert key.get("/memory/records").status_code == 401


def test_the_safety_copy_restores_files_as_well(
    mira: User, admins: Api, run_jobs: Callable[[], int]
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the operator copies this database")
    live_a_life(mira, admins, run_jobs)
    done = erase(admins).json()
    copy = Path(done["safety_copy"])
    kept = [p for p in (copy.parent / f"{copy.name}.files").rglob("*") if p.is_file()]
    assert any(b"in a file" in path.read_bytes() for path in kept)
    assert any("archive" in str(path) for path in kept)
    assert done["copy_deleted_at"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"username": "nobody"}, 404), ({"username": "admin", "account": True}, 409)],
)
def test_what_cannot_be_erased(
    admins: Api, fields: dict[str, Any], status: int
) -> None:
    assert erase(admins, **fields).status_code == status


def test_only_administrators_erase(mira: User, cron_api: Api) -> None:
    own = api_for(mira)
    own.write("still here")
    assert erase(own).status_code == 403
    assert erase(cron_api).status_code == 403
    assert Memory.objects.filter(owner=mira).count() == 1


def test_every_reference_to_a_person_is_accounted_for() -> None:
    """A row is theirs, part of the account, or only names them: there is no fourth."""
    fields = list(ownership.fields_to_people())
    assert len(fields) > 15
    for field in fields:
        label = field.model._meta.label_lower
        names_only = field.remote_field.on_delete is models.SET_NULL
        assert ownership.is_owner(field) or names_only or label in ownership.ACCOUNT, (
            f"{label}.{field.name}"
        )


def test_the_log_keeps_no_name_of_an_erased_account(mira: User, admins: Api) -> None:
    erase(admins, account=True)
    entry = AuditEntry.objects.get(action="memory.clear_user")
    assert entry.target == f"user {mira.pk}"
    assert "mira" not in json.dumps(entry.details)
