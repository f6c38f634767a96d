"""The catalogue goes out, comes in without duplicates, and says what became of it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.models import Memory
from tests.people import Api, api_for

pytestmark = pytest.mark.django_db


def exported(api: Api) -> bytes:
    answer = api.get("/memory/export")
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def imported(api: Api, body: bytes, **params: str) -> Any:
    query = "&".join(f"{k}={v}" for k, v in {"backed_up": "true", **params}.items())
    return Client().post(
        f"/api/memory/import?{query}",
        body,
        content_type="application/x-ndjson",
        headers={"Authorization": f"Bearer {api.secret}"},
    )


@pytest.fixture
def notes(admin_api: Api) -> Api:
    """Return an administrator's client, after notes of every shape were written."""
    write = admin_api.write
    write("Zürich 雪解け\n  kept byte for byte \u2028 ", "agent_notes", tags=["b", "a"])
    write("standing order", "agent_config", tags=["critical"], importance=9)
    admin_api.post(
        "/memory/records",
        {"scope": "agent_notes", "domain": "db", "key": "port", "value": {"n": [1.5]}},
    )
    write("a turn", "agent_notes", sequence={"id": "c1", "position": 3})
    write("only mine", "personal")
    old = write("old", "agent_notes")
    admin_api("delete", f"/memory/records/{old['id']}")
    return admin_api


def test_it_holds_what_agents_share_and_nothing_else(notes: Api) -> None:
    header, *lines = map(json.loads, exported(notes).splitlines())
    assert header == {"format": "goclaw-catalogue", "version": 1}
    assert {line["scope"] for line in lines} == {"agent_notes", "agent_config"}
    contents = [line["content"] for line in lines]
    assert "Zürich 雪解け\n  kept byte for byte \u2028 " in contents
    assert len(contents) == 4
    assert exported(notes) == exported(notes)


def test_it_comes_back_as_it_was(notes: Api, admin: User) -> None:
    before = exported(notes)
    Memory.objects.all().delete()
    done = imported(notes, before).json()
    assert done["counts"] == {"created": 4, "updated": 0, "skipped": 0, "refused": 0}
    assert exported(notes) == before
    assert notes.search("雪解け")[0]["tags"] == ["a", "b"]
    note = Memory.objects.get(content="a turn")
    assert (note.origin, note.created_by) == ("import", admin)


def test_it_retires_nothing_by_itself(
    admin: User, admin_api: Api, run_jobs: Callable[[], int]
) -> None:
    older, newer = (
        {"scope": "agent_notes", "kind": "fact", "content": f"The staging DB is {at}"}
        | {"observed_at": f"2026-03-{day}T09:00:00Z"}
        for at, day in (("10.0.4.12", "01"), ("10.0.4.13", "02"))
    )
    header = {"format": "goclaw-catalogue", "version": 1}
    lines = [json.dumps(line).encode() for line in (header, newer, older)]
    counts = imported(admin_api, b"\n".join(lines)).json()["counts"]
    assert counts["created"] == 2
    assert Memory.objects.current().count() == 2

    assert admin_api.post("/memory/revise", {}).status_code == 202
    run_jobs()
    assert [m.content for m in Memory.objects.current()] == [newer["content"]]


def test_again_it_makes_no_duplicates(notes: Api) -> None:
    before = exported(notes)
    for _ in range(2):
        counts = imported(notes, before).json()["counts"]
        assert (counts["skipped"], sum(counts.values())) == (4, 4)
    # Without ids the same texts are recognised as well.
    header, *lines = before.splitlines(keepends=True)
    bare = b"".join(
        json.dumps({k: v for k, v in json.loads(line).items() if k != "id"}).encode()
        + b"\n"
        for line in lines
    )
    assert imported(notes, header + bare + bare).json()["counts"]["skipped"] == 8
    assert exported(notes) == before


def test_what_differs_is_updated_and_keeps_a_revision(notes: Api) -> None:
    body = exported(notes).decode().replace("standing order", "new order")
    body = body.replace('{"n": [1.5]}', '{"n": [2]}')
    tried = imported(notes, body.encode(), dry_run="true").json()
    assert tried["counts"] == {"created": 0, "updated": 2, "skipped": 2, "refused": 0}
    assert not Memory.objects.filter(content="new order").exists()
    assert tried["safety_copy"] is None

    done = imported(notes, body.encode()).json()
    assert done["counts"] == tried["counts"]
    changed = Memory.objects.get(content="new order")
    assert changed.revisions.get().before == {"content": "standing order"}
    facts = Memory.objects.filter(key="port").order_by("pk")
    assert [fact.is_superseded for fact in facts] == [True, False]
    assert imported(notes, body.encode()).json()["counts"]["skipped"] == 4


def test_what_was_forgotten_here_stays_forgotten(notes: Api) -> None:
    before = exported(notes)
    gone = Memory.objects.get(content="standing order")
    notes("delete", f"/memory/records/{gone.uid}")
    assert imported(notes, before).json()["counts"]["skipped"] == 4
    assert notes.search("standing order", scopes=["agent_config"]) == []


def test_bad_lines_are_named_and_the_others_go_in(admin_api: Api) -> None:
    lines = [
        {"format": "goclaw-catalogue", "version": 1},
        {"scope": "agent_notes", "content": "good"},
        {"scope": "personal", "content": "no"},
        {"scope": "agent_notes", "content": "x", "colour": "red"},
        {"scope": "agent_notes", "content": "x", "importance": 99},
        {"scope": "agent_notes", "content": ""},
        {"scope": "agent_notes", "content": "good too", "tags": ["ok"]},
    ]
    body = b"\n".join(json.dumps(line).encode() for line in lines) + b"\n{broken\n"
    done = imported(admin_api, body).json()
    assert done["counts"] == {"created": 2, "updated": 0, "skipped": 0, "refused": 5}
    refused = {one["line"]: one["error"]["code"] for one in done["refused"]}
    assert sorted(refused) == [3, 4, 5, 6, 8]
    assert refused[3] == "unknown_scope"
    assert refused[4] == "unknown_field"
    assert refused[8] == "malformed_json"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "not_a_catalogue"),
        (b"[1]\n", "not_a_catalogue"),
        (b'{"scope": "agent_notes", "content": "x"}\n', "not_a_catalogue"),
        (b'{"format": "goclaw-catalogue", "version": 2}\n', "newer_format"),
        (b"\xff\xfe", "not_a_catalogue"),
    ],
)
def test_what_is_no_catalogue_is_refused(
    admin_api: Api, body: bytes, code: str
) -> None:
    answer = imported(admin_api, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


def test_only_administrators_at_work(
    alice_api: Api, cron_api: Api, admin: User
) -> None:
    named = api_for(admin, may_act_for_others=True)
    named.headers["X-GoClaw-Conversation"] = "shared"
    for stranger in (alice_api, cron_api, named):
        assert stranger.get("/memory/export").status_code == 403
    assert imported(alice_api, b"").status_code == 403


def test_lines_may_lie_across_the_parts_of_a_body(admin_api: Api) -> None:
    lines: list[dict[str, Any]] = [{"format": "goclaw-catalogue", "version": 1}]
    texts = [f"note {n} " + "x" * 20_000 for n in range(12)]
    lines += [{"scope": "agent_notes", "content": text} for text in texts]
    done = imported(admin_api, b"\n".join(json.dumps(line).encode() for line in lines))
    assert done.json()["counts"]["created"] == 12
    assert set(Memory.objects.values_list("content", flat=True)) == set(texts)


def test_a_line_without_end_is_refused(admin_api: Api) -> None:
    head = b'{"format": "goclaw-catalogue", "version": 1}\n'
    assert imported(admin_api, head + b"x" * 1_200_000).status_code == 413
