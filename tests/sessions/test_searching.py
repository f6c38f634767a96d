"""Searching what was said: by words and meaning, only where one takes part."""

import pytest

from memory.models import MessageVector
from tests.people import Api
from tests.sessions.talking import acting_for, gateway, opened, said, say

pytestmark = pytest.mark.django_db


def search(api, query, **fields):
    answer = api.post("/sessions/search", {"query": query, **fields})
    assert answer.status_code == 200, answer.json()
    return answer.json()["results"]


def snippets(api, query, **fields):
    return [hit["snippet"] for hit in search(api, query, **fields)]


def test_what_was_said_is_found_at_once_and_by_vector_later(alice_api, run_jobs):
    session = opened(alice_api)
    say(
        alice_api,
        session,
        "The heron stands at the Steg gauge.",
        said("I have noted error E-4711 of the pump.", "assistant"),
        "What shall we eat?",
        said("the logbook says heron", "tool", tool_name="read"),
    )
    (first, *_) = search(alice_api, "herons at Steg")
    assert f"/sessions/{first['session']}" == session
    assert (first["position"], first["speaker"]) == (1, "alice")
    start, end = first["matches"][0]
    assert first["snippet"][start:end] == "heron"
    assert first["parts"]["similarity"] is None
    assert snippets(alice_api, "E-4711")[0].startswith("I have noted")
    assert "the logbook says heron" in snippets(alice_api, "heron")
    assert snippets(alice_api, "submarine") == []
    run_jobs()
    assert MessageVector.objects.count() == 3
    assert search(alice_api, "heron gauge")[0]["parts"]["similarity"] > 0.4


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("外币汇率换算 is done", "汇率"),
        ("Die Gewässerüberwachung läuft", "gewasseruberwachung"),
        ("see 10.0.4.12:5432", "10.0.4.12"),
        ("don't use GB/s", "GB/s"),
    ],
)
def test_the_analyser_is_that_of_records(alice_api, text, query):
    session = opened(alice_api)
    say(alice_api, session, text, "something else")
    assert snippets(alice_api, query) == [text]


def test_only_where_one_takes_part(admin, admin_api, alice, alice_api, bob, bob_api):
    bot = gateway(admin)
    say(alice_api, opened(alice_api), "heron of my own")
    here = acting_for(bot, alice, "shared")
    say(here, opened(here, participants=["bob"]), "heron of us all")
    assert set(snippets(alice_api, "heron")) == {"heron of my own", "heron of us all"}
    assert snippets(here, "heron") == ["heron of us all"]
    assert snippets(bob_api, "heron") == ["heron of us all"]
    assert snippets(admin_api, "heron") == []
    cron = acting_for(bot, alice)
    cron.headers["X-GoClaw-Run"] = "cron"
    assert snippets(cron, "heron") == []


def test_what_is_trimmed_is_in_the_archive_not_in_the_search(
    alice_api, run_jobs, settings, tmp_path
):
    settings.GOCLAW_STATE_DIR = tmp_path
    session = opened(alice_api)
    say(alice_api, session, "heron one", "heron two")
    alice_api.post(f"{session}/trim", {"force": True})
    run_jobs()
    assert snippets(alice_api, "heron") == ["heron two"]


@pytest.mark.parametrize(
    "body", [{}, {"query": 7}, {"query": "x", "max_results": 0}, {"query": "x", "n": 1}]
)
def test_a_question_that_makes_no_sense_is_refused(alice_api, body):
    assert alice_api.post("/sessions/search", body).status_code == 400


def test_nothing_is_asked_and_nothing_found(alice_api):
    say(alice_api, opened(alice_api), "heron")
    assert search(alice_api, "  ") == []
    assert search(alice_api, "heron", agent="other") == []


@pytest.mark.parametrize("query", ["", "  \n"])
def test_a_question_without_words_finds_nothing(alice_api: Api, query: str) -> None:
    made = alice_api.post("/sessions", {}).json()
    said = {"messages": [{"role": "user", "content": "hi"}]}
    alice_api.post(f"/sessions/{made['id']}/messages", said)
    found = alice_api.post("/sessions/search", {"query": query}).json()
    assert found == {"results": [], "degraded": None}
