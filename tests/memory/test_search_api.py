"""Search through the API: found at once, only what one may see, and what a hit says."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from goclaw.lib import config
from memory import embeddings
from memory.models import Memory, RecallLog
from memory.search import recall
from tests.people import Api, api_for

pytestmark = pytest.mark.django_db


# --- found at once -------------------------------------------------------------------
def test_a_record_is_found_by_word_before_any_job_ran(alice_api: Api) -> None:
    made = alice_api.write("The staging database moved to db-stage-07.")
    answer = alice_api.post("/memory/search", {"query": "staging database"}).json()
    assert [hit["id"] for hit in answer["results"]] == [made["id"]]
    assert answer["pending"] == 1
    assert answer["degraded"] is None


def test_vectors_follow(alice_api: Api, run_jobs: Callable[[], int]) -> None:
    made = alice_api.write("The staging database moved.")
    run_jobs()
    assert alice_api.get(f"/memory/records/{made['id']}").json()["index"] == {
        "state": "indexed",
        "error": "",
    }
    answer = alice_api.post("/memory/search", {"query": "staging database"}).json()
    assert answer["pending"] == 0
    assert answer["mode"] == "hybrid"
    assert answer["results"][0]["parts"]["similarity"] > 0


@pytest.mark.usefixtures("_no_vectors")
def test_without_a_model_search_is_by_words_and_says_so(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    alice_api.write("The staging database moved.")
    run_jobs()
    answer = alice_api.post("/memory/search", {"query": "staging database"}).json()
    assert answer["mode"] == "keyword"
    assert answer["degraded"] is None
    assert answer["pending"] == 0
    assert len(answer["results"]) == 1


def test_with_a_model_that_fails_the_answer_says_so(
    alice_api: Api, settings: Any
) -> None:
    alice_api.write("The staging database moved.")
    settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {
        "provider": "openai",
        "base_url": "http://127.0.0.1:9/v1",
        "timeout_s": 1,
    }
    config.reset()
    embeddings.reset()
    try:
        answer = alice_api.post("/memory/search", {"query": "staging"}).json()
    finally:
        settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {"provider": "hashing"}
        config.reset()
        embeddings.reset()
    assert len(answer["results"]) == 1
    assert answer["mode"] == "keyword"
    assert answer["degraded"]["reason"]
    assert answer["degraded"]["action"]


# --- isolation -----------------------------------------------------------------------
def test_foreign_records_do_not_starve_ones_own(
    alice: User, alice_api: Api, bob_api: Api, run_jobs: Callable[[], int]
) -> None:
    items = [{"scope": "personal", "content": f"budget plan {n}"} for n in range(400)]
    bob_api.post("/memory/records/bulk", {"records": items})
    mine = alice_api.write("notes on the budget")
    run_jobs()
    hits = alice_api.search("budget plan", max_results=10)
    assert [hit["id"] for hit in hits] == [mine["id"]]
    shared = {"X-GoClaw-Run": "chat", "X-GoClaw-Conversation": "shared"}
    assert Api(alice_api.secret, shared).search("budget plan") == []


def test_a_filter_applies_before_the_best_are_taken(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    items = [
        {"scope": "personal", "content": f"alpha beta gamma {n}", "domain": "many"}
        for n in range(400)
    ]
    alice_api.post("/memory/records/bulk", {"records": items})
    rare = alice_api.write("alpha and little else", domain="few", tags=["x"])
    run_jobs()
    assert [h["id"] for h in alice_api.search("alpha beta gamma", domains=["few"])] == [
        rare["id"]
    ]
    assert [h["id"] for h in alice_api.search("alpha beta gamma", tags=["x"])] == [
        rare["id"]
    ]
    for tag in ("X", "_", "%", "*", "x,y"):
        answer = alice_api.post("/memory/search", {"query": "alpha", "tags": [tag]})
        assert answer.status_code == 400 or answer.json()["results"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"max_results": 0},
        {"max_results": 51},
        {"max_results": "many"},
        {"min_score": 1.5},
        {"min_score": -1},
        {"scopes": ["mine"]},
        {"scopes": "personal"},
        {"kinds": ["thought"]},
        {"domains": ["../x"]},
        {"tags": ["a b"]},
        {"since": "never"},
        {"since": "2026-02-01", "until": "2026-01-01"},
        {"agent": "../x"},
        {"colour": "red"},
        {"query": None},
        {"query": 5},
        {"query": ["a"]},
        {"query": "x" * 40_000},
        {"query": "a\0b"},
    ],
)
def test_what_makes_no_sense_is_refused(alice_api: Api, fields: dict[str, Any]) -> None:
    answer = alice_api.post("/memory/search", {"query": "a"} | fields)
    assert answer.status_code == 400, answer.json()
    assert answer.json()["error"]["field"]


def test_superseded_records_only_when_asked_for(alice_api: Api) -> None:
    path = "/memory/facts/personal/-/wifi"
    old = alice_api("put", path, {"value": "quokka one"}).json()
    new = alice_api("put", path, {"value": "quokka two"}).json()
    assert [h["id"] for h in alice_api.search("quokka")] == [new["id"]]
    hits = {h["id"]: h for h in alice_api.search("quokka", include_history=True)}
    assert hits.keys() == {old["id"], new["id"]}
    assert hits[old["id"]]["superseded"] is True
    assert hits[old["id"]]["superseded_by"] == new["id"]


def test_replaced_records_do_not_crowd_out_live_ones(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    for n in range(120):
        alice_api("put", "/memory/facts/personal/-/k", {"value": f"zebra stripe {n}"})
    live = alice_api.write("a zebra, live")
    run_jobs()
    ids = [hit["id"] for hit in alice_api.search("zebra stripe", max_results=5)]
    assert live["id"] in ids
    assert len(ids) == 2


def test_the_tail_of_a_long_text_is_found(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    body = " ".join(f"Paragraph {n} is about ordinary matters." for n in range(1400))
    made = alice_api.write(f"{body} The last word is xylophone.")
    run_jobs()
    hit = alice_api.search("xylophone")[0]
    assert hit["id"] == made["id"]
    assert "xylophone" in hit["snippet"]


def test_an_id_from_a_result_is_accepted_everywhere(alice_api: Api) -> None:
    alice_api.write("round trip")
    uid = alice_api.search("round trip")[0]["id"]
    assert alice_api.get("/memory/get", id=uid).json()["text"] == "round trip"
    assert alice_api.get(f"/memory/records/{uid}").json()["id"] == uid
    assert alice_api("delete", f"/memory/records/{uid}").status_code == 204
    assert alice_api.search(uid) == []


def test_a_citation_is_read_as_it_stands(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    alice_api.write("\n".join(f"line {n}" for n in range(1, 2001)))
    hit = alice_api.search("line 1999")[0]
    for name in ("id", "path"):
        read = alice_api.get("/memory/get", **{name: hit["citation"]}).json()
        assert read["id"] == hit["id"]
        assert (read["line_start"], read["line_end"]) == (
            hit["line_start"],
            hit["line_end"],
        )
    other = alice_api.get("/memory/get", id=hit["citation"], **{"from": 5, "lines": 1})
    assert other.json()["text"] == "line 5"
    assert alice_api.get("/memory/get", id="no-id#L1").status_code == 400


# --- what a result carries -----------------------------------------------------------
def test_a_result_cites_lines_and_marks_words(alice_api: Api) -> None:
    filler = "\n".join(f"Line {n} says nothing of interest here." for n in range(100))
    made = alice_api.write(f"{filler}\nThe heron nests on pier 9.\n{filler}")
    hit = alice_api.search("heron pier")[0]
    assert hit["id"] == made["id"]
    assert hit["line_start"] <= 101 <= hit["line_end"]
    assert len(hit["snippet"]) <= 700
    marked = {hit["snippet"][start:end] for start, end in hit["matches"]}
    assert {"heron", "pier"} <= marked
    assert hit["citation"] == f"{made['id']}#L{hit['line_start']}-L{hit['line_end']}"
    lines = alice_api.get(
        "/memory/get", id=made["id"], **{"from": hit["line_start"], "lines": 3}
    ).json()
    assert lines["line_start"] == hit["line_start"]
    assert lines["text"].split("\n")[0] in f"{filler}\nThe heron nests on pier 9."


def test_a_search_costs_a_fixed_number_of_queries(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert alice_api.search("penguin colony", max_results=20)
        return len(queries)

    alice_api.write("penguin colony 0", tags=["a"])
    run_jobs()
    count()
    few = count()
    for n in range(1, 30):
        alice_api.write(f"penguin colony {n}", tags=["a", "b"], domain=f"d{n}")
    run_jobs()
    assert count() <= few + 1


def test_recalls_are_noted_when_configured(alice: User, settings: Any) -> None:
    settings.GOCLAW_SEARCH = settings.GOCLAW_SEARCH | {"log_recalls": True}
    config.reset()
    api = api_for(alice)
    made = api.write("remember the heron")
    api.search("heron")
    recall.flush()
    row = RecallLog.objects.get()
    assert (row.memory, row.rank, row.user) == (
        Memory.objects.get(uid=made["id"]),
        1,
        alice,
    )
    assert row.query == ""


def test_an_index_that_cannot_be_read_is_no_empty_list(alice_api: Api) -> None:
    alice_api.write("remember the heron")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_chunk_words RENAME TO gone")
    answer = alice_api.post("/memory/search", {"query": "heron"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (503, "unavailable")
    assert "prepare" in error["remedy"]
