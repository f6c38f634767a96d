"""Agentic Memory's addresses with its own payloads."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from memory.models import Memory
from tests.compat.calling import agentic, ask, search, store
from tests.people import Api, _client

pytestmark = pytest.mark.django_db

LONG = "The quokka is called Bert and lives on an island off the western coast. " * 4


@pytest.fixture(autouse=True)
def _own_state(settings: Any, tmp_path: Any) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path


# --- health --------------------------------------------------------------------------
def test_health_has_the_names_that_clients_look_for() -> None:
    answer = _client().get("/agentic/health")
    assert answer.status_code == 200
    body = answer.json()
    assert body.keys() == {"status", "pg", "redis", "minio", "embedding_model_loaded"}
    assert body["pg"] is True
    assert body["redis"] is body["minio"] is False


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", "store"),
        ("get", "store"),
        ("post", "search"),
        ("post", "recall"),
        ("get", "facts"),
        ("post", "compact"),
        ("post", "extract"),
        ("post", "workspace/sync"),
        ("get", "workspace/read"),
    ],
)
def test_everything_else_needs_a_key(method: str, path: str) -> None:
    answer = ask(Api("gck_wrong"), method, f"/agentic/{path}", {})
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "unauthenticated"


def test_an_address_that_is_not_there_answers_in_json(alice_api: Api) -> None:
    answer = ask(alice_api, "get", "/agentic/learnings")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


# --- tiers ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fields", "tier"),
    [
        ({"domain": "user", "key": "tea"}, "fact"),
        ({"importance": 7}, "vector"),
        ({"category": "skill", "importance": 1}, "vector"),
        ({"category": "decision", "importance": 1}, "vector"),
        ({"category": "insight", "importance": 1}, "vector"),
        ({"importance": 3}, "cache"),
        ({"importance": 4}, "vector"),
        ({"importance": 3, "content": LONG}, "vector"),
        ({"domain": "user", "importance": 3}, "cache"),
        ({"tier": "vector", "importance": 1}, "vector"),
        ({"tier": "cache", "importance": 9}, "cache"),
        ({}, "vector"),
    ],
)
def test_the_tier_follows_from_kind_and_weight(
    alice_api: Api, fields: dict[str, Any], tier: str
) -> None:
    body = {"content": "Green tea, please."} | fields
    answer = agentic(alice_api, "post", "store", body)
    assert answer["tier"] == tier
    memory = Memory.objects.get(uid=answer["id"])
    assert bool(memory.key) == (tier == "fact")
    assert (memory.expires_at is not None) == (tier == "cache")
    assert (memory.owner.username, memory.tool) == ("alice", "agentic")


def test_the_cache_forgets_after_four_hours(alice_api: Api) -> None:
    store(alice_api, "The quokka waits outside.", importance=2)
    (found,) = search(alice_api, "quokka")
    assert found["tier"] == "cache"
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=4, seconds=1)):
        assert search(alice_api, "quokka") == []


@pytest.mark.parametrize(
    ("category", "kind"),
    [
        ("conversation_highlight", "highlight"),
        ("general", "note"),
        ("project", "project"),
        ("insight", "insight"),
        ("decision", "decision"),
        ("skill", "skill"),
        ("hobbies", "note"),
    ],
)
def test_categories_are_kinds_and_come_back_as_they_were(
    alice_api: Api, category: str, kind: str
) -> None:
    uid = store(alice_api, "The quokka eats leaves.", category=category)["id"]
    assert Memory.objects.get(uid=uid).kind == kind
    (found,) = search(alice_api, "quokka", categories=[category])
    assert found["category"] == category
    other = "general" if category != "general" else "skill"
    assert search(alice_api, "quokka", categories=[other]) == []


def test_what_cannot_be_stored_is_an_error_and_says_why(alice_api: Api) -> None:
    for body, code in (
        ({"content": " "}, "empty_content"),
        ({"content": "x", "importance": 11}, "invalid"),
        ({"content": "x", "tier": "file"}, "invalid"),
        ({"content": "x", "tier": "fact"}, "invalid"),
        ({"content": "x", "expires_at": "soon"}, "invalid"),
        ({}, "invalid"),
    ):
        answer = ask(alice_api, "post", "/agentic/store", body)
        assert answer.status_code == 400, body
        assert answer.json()["error"]["code"] == code
    assert not Memory.objects.exists()


def test_tags_of_any_look_and_unknown_fields_are_taken(alice_api: Api) -> None:
    uid = store(alice_api, "quokka", tags=["Wild Life", "zoo"], agent_id="a")["id"]
    assert Memory.objects.get(uid=uid).tag_names() == ["wild-life", "zoo"]


def test_what_is_stored_is_listed_newest_first(alice_api: Api) -> None:
    for n in range(3):
        store(alice_api, f"Number {n}", category="project" if n else "general")
    store(alice_api, "Tuesday", domain="deploy", key="day")
    listed = agentic(alice_api, "get", "store", limit=2)
    assert [one["content"] for one in listed["memories"]] == ["Number 2", "Number 1"]
    assert listed["total"] == 2
    listed = agentic(alice_api, "get", "store", category="general")
    assert [one["content"] for one in listed["memories"]] == ["Number 0"]
    assert ask(alice_api, "get", "/agentic/store", limit=51).status_code == 400


# --- search and recall --------------------------------------------------------------
def test_results_have_the_documented_names(alice_api: Api) -> None:
    store(alice_api, "The quokka is called Bert.", category="insight")
    body = {"query": "quokka", "max_results": 5, "tiers": ["vector", "fact"]}
    found = agentic(alice_api, "post", "search", body)
    (result,) = found["results"]
    assert result.keys() == {
        "id",
        "content",
        "score",
        "category",
        "age_days",
        "tier",
        "domain",
        "key",
    }
    assert 0 < result["score"] <= 1
    assert found["total_tokens_estimate"] == 9


def test_tiers_and_importance_narrow_the_search(alice_api: Api) -> None:
    store(alice_api, "quokka of no weight", importance=4)
    store(alice_api, "quokka of weight", importance=8)
    store(alice_api, "the quokka's name", domain="zoo", key="name", value="Bert")
    assert len(search(alice_api, "quokka")) == 3
    facts = search(alice_api, "quokka", tiers=["fact"])
    assert [one["key"] for one in facts] == ["name"]
    assert len(search(alice_api, "quokka", tiers=["vector"])) == 2
    heavy = search(alice_api, "quokka", min_importance=8)
    assert [one["content"] for one in heavy] == ["quokka of weight"]


def test_results_keep_to_the_budget(alice_api: Api) -> None:
    for n in range(3):
        store(alice_api, f"{n} quokka " + "leaf " * 400)
    body = {"query": "quokka", "token_budget": 900}
    found = agentic(alice_api, "post", "search", body)
    assert found["total_tokens_estimate"] <= 900
    assert [len(one["content"]) > 700 for one in found["results"]] == [True, False]


def test_recall_has_facts_the_newest_and_what_fits_the_context(alice_api: Api) -> None:
    store(alice_api, "An old quokka story.", importance=9)
    for n in range(21):
        store(alice_api, f"Number {n}", importance=5)
    store(alice_api, "Tuesday", domain="deploy", key="day")
    plain = agentic(alice_api, "post", "recall", {})
    assert [fact["key"] for fact in plain["facts"]] == ["day"]
    contents = [one["content"] for one in plain["memories"]]
    assert contents == [f"Number {n}" for n in range(20, 0, -1)]
    told = agentic(alice_api, "post", "recall", {"context": "quokka"})
    assert told["memories"][0]["content"] == "An old quokka story."
    assert len(told["memories"]) == 21
    assert told["total_tokens_estimate"] > plain["total_tokens_estimate"]


def test_recall_keeps_to_its_budget(alice_api: Api) -> None:
    for n in range(12):
        store(alice_api, f"{n} " + "word " * 300)
    told = agentic(alice_api, "post", "recall", {})
    assert 3000 < told["total_tokens_estimate"] <= 4000
    assert 0 < len(told["memories"]) < 12


# --- facts --------------------------------------------------------------------------
def test_a_fact_is_set_read_replaced_and_forgotten(alice_api: Api) -> None:
    body = {"domain": "deploy", "key": "day", "value": {"day": 2}, "confidence": 0.8}
    first = agentic(alice_api, "post", "facts", body | {"source": "chat"})
    assert (first["value"], first["confidence"]) == ({"day": 2}, 0.8)
    agentic(alice_api, "post", "facts", body | {"value": "Thursday"})
    (fact,) = agentic(alice_api, "get", "facts", domain="deploy")["facts"]
    assert fact["value"] == "Thursday"
    assert agentic(alice_api, "get", "facts", key="other")["facts"] == []
    (fact,) = agentic(alice_api, "get", "facts", search="which day")["facts"]
    gone = agentic(alice_api, "delete", f"facts/{fact['id']}")
    assert gone == {"id": fact["id"], "deleted": True}
    assert agentic(alice_api, "get", "facts")["facts"] == []
    assert alice_api.post(f"/memory/records/{fact['id']}/restore").status_code == 200


def test_confidence_is_between_0_and_1(alice_api: Api) -> None:
    body = {"domain": "a", "key": "b", "value": 1, "confidence": 1.5}
    assert ask(alice_api, "post", "/agentic/facts", body).status_code == 400


# --- whose it is --------------------------------------------------------------------
def test_nobody_sees_what_is_somebody_elses(alice_api: Api, bob_api: Api) -> None:
    store(alice_api, "Alice's quokka")
    fact = {"domain": "zoo", "key": "name", "value": "Bert the quokka"}
    uid = agentic(alice_api, "post", "facts", fact)["id"]
    assert search(bob_api, "quokka") == []
    assert agentic(bob_api, "get", "store")["memories"] == []
    assert agentic(bob_api, "get", "facts")["facts"] == []
    recalled = agentic(bob_api, "post", "recall", {"context": "quokka"})
    assert recalled == {"facts": [], "memories": [], "total_tokens_estimate": 0}
    answers = []
    for one in (uid, str(uuid4())):
        answer = ask(bob_api, "delete", f"/agentic/facts/{one}")
        error = answer.json()["error"]
        del error["request_id"]
        answers.append((answer.status_code, error))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404


def test_both_can_have_the_same_key(alice_api: Api, bob_api: Api) -> None:
    for api, value in ((alice_api, "tea"), (bob_api, "coffee")):
        body = {"domain": "user", "key": "drink", "value": value}
        agentic(api, "post", "facts", body)
    (fact,) = agentic(alice_api, "get", "facts")["facts"]
    assert fact["value"] == "tea"


def test_who_may_write_nowhere_is_told_why(alice_api: Api) -> None:
    shared = Api(
        alice_api.secret, alice_api.headers | {"X-GoClaw-Conversation": "shared"}
    )
    answer = ask(shared, "post", "/agentic/store", {"content": "x"})
    assert answer.status_code == 403
    assert answer.json()["error"]["remedy"]


def test_an_autonomous_run_writes_for_all(cron_api: Api, bob_api: Api) -> None:
    store(cron_api, "The nightly quokka count is 12.")
    assert len(search(bob_api, "quokka")) == 1


def test_another_scope_needs_the_right_to_it(alice_api: Api, admin_api: Api) -> None:
    body = {"content": "quokka", "scope": "agent_notes"}
    assert ask(alice_api, "post", "/agentic/store", body).status_code == 403
    assert ask(admin_api, "post", "/agentic/store", body).status_code == 200
