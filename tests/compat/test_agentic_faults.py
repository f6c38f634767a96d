"""Faults that Agentic Memory is known for, none of which are here."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from memory.models import Memory
from tests.compat.calling import agentic, ask, search, store
from tests.people import Api

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def workspace(settings: Any, tmp_path: Any) -> Any:
    settings.GOCLAW_STATE_DIR = tmp_path
    folder = tmp_path / "workspace" / "memory"
    folder.mkdir(parents=True)
    return folder


# 1: a cache of answers that nothing invalidates, by a key that leaves things out
def test_an_answer_is_never_an_old_one(alice_api: Api) -> None:
    assert search(alice_api, "quokka") == []
    store(alice_api, "The quokka sleeps.")
    uid = store(alice_api, "Bert", domain="zoo", key="quokka")["id"]
    assert len(search(alice_api, "quokka")) == 2
    assert len(search(alice_api, "quokka", max_results=1)) == 1
    agentic(alice_api, "delete", f"facts/{uid}")
    assert len(search(alice_api, "quokka")) == 1


def test_what_was_replaced_is_shown_only_when_asked_for(alice_api: Api) -> None:
    for day in ("Tuesday", "Thursday"):
        store(alice_api, f"The quokka comes on {day}.", domain="zoo", key="day")
    assert len(search(alice_api, "quokka")) == 1
    assert len(search(alice_api, "quokka", include_archived=True)) == 2


# 2: duplicates noted before the write, by the text alone
def test_a_duplicate_is_skipped_for_five_minutes(alice_api: Api) -> None:
    first = store(alice_api, "The quokka sleeps.")
    second = store(alice_api, "The quokka sleeps.")
    assert second == {"id": "dedup", "tier": "skipped", "summary": None}
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=301)):
        third = store(alice_api, "The quokka sleeps.")
    assert third["id"] not in {first["id"], "dedup"}


def test_a_write_that_failed_can_be_sent_again(alice_api: Api) -> None:
    shared = Api(
        alice_api.secret, alice_api.headers | {"X-GoClaw-Conversation": "shared"}
    )
    body = {"content": "The quokka sleeps."}
    assert ask(shared, "post", "/agentic/store", body).status_code == 403
    assert store(alice_api, **body)["tier"] == "vector"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"importance": 2}, {"tier": "vector"}),
        ({}, {"domain": "zoo", "key": "name"}),
        ({"domain": "zoo", "key": "name"}, {"domain": "zoo", "key": "other"}),
        ({"domain": "zoo", "key": "name"}, {"domain": "park", "key": "name"}),
        (
            {"domain": "zoo", "key": "name", "value": 1},
            {"domain": "zoo", "key": "name", "value": 2},
        ),
        ({}, {"category": "skill"}),
    ],
)
def test_the_same_text_elsewhere_is_no_duplicate(
    alice_api: Api, first: dict[str, Any], second: dict[str, Any]
) -> None:
    for fields in (first, second):
        assert store(alice_api, "The quokka sleeps.", **fields)["id"] != "dedup"


def test_a_fact_can_be_given_more_time(alice_api: Api) -> None:
    fact = {"domain": "zoo", "key": "name", "value": "Bert"}
    soon, later = (
        (datetime.now(UTC) + timedelta(hours=hours)).isoformat() for hours in (1, 9)
    )
    agentic(alice_api, "post", "facts", fact | {"expires_at": soon})
    agentic(alice_api, "post", "facts", fact | {"expires_at": later})
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=2)):
        assert len(agentic(alice_api, "get", "facts")["facts"]) == 1


def test_twenty_of_the_same_at_once_are_one(alice_api: Api) -> None:
    kept = [store(alice_api, "The quokka sleeps.")["tier"] for _ in range(20)]
    assert kept == ["vector", *["skipped"] * 19]
    assert Memory.objects.count() == 1


# 3: facts that have expired
def test_an_expired_fact_is_gone(alice_api: Api) -> None:
    soon = (datetime.now(UTC) + timedelta(minutes=1)).isoformat()
    fact = {"domain": "zoo", "key": "quokka", "value": "asleep", "expires_at": soon}
    agentic(alice_api, "post", "facts", fact)
    assert len(search(alice_api, "quokka")) == 1
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=2)):
        assert search(alice_api, "quokka") == []
        assert agentic(alice_api, "get", "facts")["facts"] == []
        assert agentic(alice_api, "post", "recall", {})["facts"] == []


# 4: words of other languages than English
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们决定在星期二部署数据库", "部署"),
        ("Die Datenbank wird dienstags gesichert.", "Datenbank dienstags"),
        ("デプロイは火曜日に行います", "火曜日"),
    ],
)
def test_words_of_any_language_are_found(
    alice_api: Api, settings: Any, text: str, query: str
) -> None:
    settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {"provider": "none"}
    store(alice_api, text)
    assert [one["content"] for one in search(alice_api, query)] == [text]


# 5: `min_score` that drops what was found by words
def test_a_file_found_by_words_alone_passes_min_score(
    alice_api: Api, settings: Any, workspace: Any
) -> None:
    settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {"provider": "none"}
    (workspace / "zoo.md").write_text("# Zoo\n\nThe quokka is called Bert.\n")
    agentic(alice_api, "post", "workspace/sync", {})
    body = {"query": "quokka Bert", "min_score": 0.3}
    (hit,) = agentic(alice_api, "post", "workspace/search", body)["results"]
    assert hit["score"] >= 0.3
    assert hit["vec_score"] is None


# 6: an order by difference instead of relevance
def test_the_best_is_first_even_when_all_are_alike(alice_api: Api) -> None:
    for n in range(5):
        store(alice_api, f"Number {n}: the quokka sleeps in the shade of a tree.")
    store(alice_api, "The quokka sleeps in the shade of a tree and is called Bert.")
    found = search(alice_api, "What is the quokka in the shade called, Bert?")
    assert "Bert" in found[0]["content"]
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)


# 7: scores of facts on another scale, found by the whole question only
def test_a_fact_is_found_by_a_question_and_ranked_with_the_rest(
    alice_api: Api,
) -> None:
    store(alice_api, "The lighthouse is closed.", domain="sea", key="lighthouse")
    store(alice_api, "The quokka is called Bert.", importance=8)
    found = search(alice_api, "What is the quokka called?")
    assert found[0]["tier"] == "vector"
    found = search(alice_api, "Is the lighthouse closed today?")
    assert found[0]["key"] == "lighthouse"
    assert all(0 <= one["score"] <= 1 for one in found)


# 8: lines that count from 0
def test_lines_count_from_one(alice_api: Api, workspace: Any) -> None:
    (workspace / "zoo.md").write_text("one\ntwo\nthree\n")
    place = {"path": "memory/zoo.md"}

    def read(**lines: int) -> str:
        text: str = agentic(alice_api, "get", "workspace/read", **place, **lines)[
            "text"
        ]
        return text

    assert read(from_line=1, lines=1) == "one"
    assert read(from_line=2, lines=1) == "two"
    assert read() == "one\ntwo\nthree"
    answer = ask(alice_api, "get", "/agentic/workspace/read", **place, from_line=0)
    assert answer.status_code == 400
    agentic(alice_api, "post", "workspace/sync", {})
    body = {"query": "two", "min_score": 0}
    (hit,) = agentic(alice_api, "post", "workspace/search", body)["results"]
    assert (hit["startLine"], hit["endLine"]) == (1, 3)


def test_a_missing_file_has_no_text(alice_api: Api) -> None:
    told = agentic(alice_api, "get", "workspace/read", path="memory/none.md")
    assert told == {"text": "", "path": "memory/none.md"}


# 9: folders by their prefix, chosen by the caller
@pytest.mark.parametrize(
    "path",
    ["../workspace-of-others/a.md", "memory/../../gc_state.sqlite", "/etc/passwd"],
)
def test_only_the_workspace_is_read(alice_api: Api, tmp_path: Any, path: str) -> None:
    (tmp_path / "workspace-of-others").mkdir()
    (tmp_path / "workspace-of-others" / "a.md").write_text("secret")
    answer = ask(alice_api, "get", "/agentic/workspace/read", path=path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "path_refused")


def test_the_folder_is_not_for_callers_to_choose(alice_api: Api, tmp_path: Any) -> None:
    refused = {"workspace_dir": "/etc"}
    answer = ask(alice_api, "post", "/agentic/workspace/sync", refused)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "path_refused")
    ours = {"workspace_dir": str(tmp_path / "workspace")}
    assert agentic(alice_api, "post", "workspace/sync", ours)["indexed"] == 0


# 10: a sync that loses files, empty chunks, lines that are never cut
def test_sync_counts_and_status_agree(alice_api: Api, workspace: Any) -> None:
    (workspace / "zoo.md").write_text("The quokka is called Bert.\n")
    (workspace / "empty.md").write_text("")
    (workspace / "long.md").write_text("word " * 2000)
    dirty = agentic(alice_api, "get", "workspace/status")
    assert (dirty["dirty"], dirty["dirty_count"], dirty["files"]) == (True, 3, 0)
    first = agentic(alice_api, "post", "workspace/sync", {})
    assert (first["indexed"], first["unchanged"], first["deleted"]) == (3, 0, 0)
    status = agentic(alice_api, "get", "workspace/status")
    assert status == {
        "files": 3,
        "chunks": first["chunks"],
        "dirty": False,
        "dirty_count": 0,
    }
    chunks = Memory.objects.get(source_key="memory/empty.md").chunks
    assert not chunks.filter(text="").exists()
    long = Memory.objects.get(source_key="memory/long.md").chunks
    assert max(len(chunk.text) for chunk in long.all()) < 4000
    (workspace / "zoo.md").unlink()
    second = agentic(alice_api, "post", "workspace/sync", {})
    assert (second["indexed"], second["unchanged"], second["deleted"]) == (0, 2, 1)


# 11: errors that are answered with 200
def test_an_error_is_never_a_success(alice_api: Api) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_chunks RENAME TO hidden_chunks")
    answer = ask(alice_api, "post", "/agentic/search", {"query": "quokka"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
