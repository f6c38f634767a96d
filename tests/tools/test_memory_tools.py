"""The tools of memory, through the REST door."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from accounts.models import User
from memory.models import Memory, RecallLog
from memory.search import recall
from tests.people import Api
from tests.tools.calling import note_file, refused, use

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_state(settings: Any, tmp_path: Any) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path


# --- memory_write ------------------------------------------------------------------
def test_a_person_writes_to_personal_without_naming_it(alice_api: Api) -> None:
    made = use(alice_api, "memory_write", content="Alice drinks green tea.")
    assert made["data"]["scope"] == "personal"
    assert made["data"]["id"] in made["text"]
    memory = Memory.objects.get(uid=made["data"]["id"])
    assert (memory.tool, memory.origin) == ("memory_write", "agent")


def test_an_autonomous_run_writes_to_agent_notes(cron_api: Api) -> None:
    made = use(cron_api, "memory_write", content="The nightly dump took 26 minutes.")
    assert made["data"]["scope"] == "agent_notes"


def test_the_same_again_is_said_to_be_known(alice_api: Api) -> None:
    first, second = (
        use(alice_api, "memory_write", content="Once is enough.") for _ in range(2)
    )
    assert first["data"]["id"] == second["data"]["id"]
    assert second["data"]["deduplicated"]
    assert "known already" in second["text"]


def test_a_keyed_fact_needs_no_text_and_is_replaced(alice_api: Api) -> None:
    fact = {"domain": "deploy", "key": "day", "kind": "fact"}
    use(alice_api, "memory_write", value="Tuesday", **fact)
    use(alice_api, "memory_write", value="Thursday", **fact)
    found = use(alice_api, "memory_search", query="deploy day", min_score=0)
    assert [hit["content"] for hit in found["data"]["results"]] == ["day: Thursday"]


def test_a_shared_scope_is_refused_and_pointed_to_personal(alice_api: Api) -> None:
    for scope in ("agent_notes", "global", "agent_config"):
        status, error = refused(alice_api, "memory_write", content="x", scope=scope)
        assert status == 403
        assert "personal" in error["remedy"]


@pytest.mark.parametrize("scope", ["wiki", "wikijs", "workspace", "db_cache", "mine"])
def test_no_other_scope_is_taken(admin_api: Api, scope: str) -> None:
    status, error = refused(admin_api, "memory_write", content="x", scope=scope)
    assert (status, error["field"]) == (400, "scope")
    assert not Memory.objects.exists()


def test_a_daily_note_is_appended(admin_api: Api, tmp_path: Any) -> None:
    made = use(admin_api, "memory_write", content="- Steg gauge at 4.2 m", daily=True)
    path = f"memory/{datetime.now(UTC):%Y-%m-%d}.md"
    assert made["data"]["path"] == path
    assert "Steg gauge" in (tmp_path / "workspace" / path).read_text()
    again = use(admin_api, "memory_write", content="- Steg gauge at 4.2 m", daily=True)
    assert again["data"]["deduplicated"]


@pytest.mark.parametrize(
    ("more", "field"), [({"scope": "personal"}, "scope"), ({"key": "a"}, "key")]
)
def test_a_daily_note_is_neither_personal_nor_a_fact(
    admin_api: Api, more: dict[str, str], field: str
) -> None:
    status, error = refused(admin_api, "memory_write", content="x", daily=True, **more)
    assert (status, error["field"]) == (400, field)


def test_a_daily_note_by_somebody_else_is_refused(alice_api: Api) -> None:
    status, error = refused(alice_api, "memory_write", content="x", daily=True)
    assert status == 403
    assert error["remedy"]


def test_blank_content_is_refused(alice_api: Api) -> None:
    status, error = refused(alice_api, "memory_write", content=" \n")
    assert (status, error["code"]) == (400, "empty_content")


# --- memory_search -----------------------------------------------------------------
def test_one_search_finds_everything_readable(
    admin_api: Api, alice_api: Api, tmp_path: Any
) -> None:
    note_file(tmp_path, "# Day\n\nThe quokka sleeps.\n")
    assert admin_api.post("/workspace/sync", {}).status_code == 200
    alice_api.write("My quokka is called Bert.")
    admin_api.write("A quokka eats leaves.", scope="agent_notes")
    page = {"body": "# Quokka\n\nA quokka is a marsupial."}
    assert admin_api.post("/memory/wiki?slug=animals", page).status_code == 201

    found = use(alice_api, "memory_search", query="quokka", min_score=0)

    results = found["data"]["results"]
    assert {hit["scope"] for hit in results} == {
        "personal",
        "agent_notes",
        "workspace",
        "wiki",
    }
    for hit in results:
        assert hit["citation"] in found["text"]
        assert hit["id"] in found["text"]
        assert (hit["file"], hit["content"]) == (
            hit["path"] or hit["id"],
            hit["snippet"],
        )
        assert 0 <= hit["score"] <= 1
        assert use(alice_api, "memory_get", path=hit["citation"])["data"]["text"]


def test_filters_narrow_the_search(alice_api: Api) -> None:
    alice_api.write("Bert the quokka", kind="fact", domain="pets", tags=["animal"])
    alice_api.write("Tilda the quokka", observed_at="2026-01-05T00:00:00Z")

    def found(**filters: Any) -> list[str]:
        answer = use(alice_api, "memory_search", query="quokka", min_score=0, **filters)
        return [hit["content"].split()[0] for hit in answer["data"]["results"]]

    assert sorted(found()) == ["Bert", "Tilda"]
    assert found(kinds=["fact"]) == found(domains=["pets"]) == ["Bert"]
    assert found(tags=["animal"]) == found(since="2026-02-01") == ["Bert"]
    assert found(until="2026-02-01") == ["Tilda"]
    assert found(scopes=["global"]) == []
    assert len(found(max_results=1)) == 1


def test_a_date_without_a_zone_is_in_the_persons_zone(
    alice: User, alice_api: Api
) -> None:
    alice.timezone = "Asia/Tokyo"
    alice.save()
    alice_api.write("quokka", observed_at="2026-03-01T16:00:00Z")  # the 2nd in Tokyo
    found = use(alice_api, "memory_search", query="quokka", since="2026-03-02")
    assert len(found["data"]["results"]) == 1


def test_nothing_found_says_so_and_what_still_waits(alice_api: Api) -> None:
    alice_api.write("A record that has no vectors yet.")
    found = use(alice_api, "memory_search", query="zebra", min_score=1)
    assert found["data"]["results"] == []
    assert found["data"]["pending"] == 1
    assert "Nothing was found." in found["text"]
    assert "so new" in found["text"]


def test_an_index_that_cannot_be_read_is_never_an_empty_list(alice_api: Api) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_chunks RENAME TO hidden_chunks")
    answer = alice_api.post("/tools/memory_search", {"query": "quokka"})
    assert answer.status_code == 503
    body = answer.json()
    assert body["error"]["code"] == "unavailable"
    assert body["error"]["remedy"] == body["data"]["action"]
    assert body["data"]["disabled"] is body["data"]["unavailable"] is True
    assert body["data"]["error"]
    assert "does not mean that nothing is known" in body["text"]


# --- memory_forget -------------------------------------------------------------------
def test_what_is_forgotten_is_found_no_more_and_can_come_back(alice_api: Api) -> None:
    made = alice_api.write("The quokka is called Bert.")
    told = use(alice_api, "memory_forget", id=f"{made['id']}#L1")
    assert "30 days" in told["text"]
    assert alice_api.search("quokka") == []
    assert alice_api.post(f"/memory/records/{made['id']}/restore").status_code == 200


# --- memory_feedback -----------------------------------------------------------------
def test_feedback_is_kept_with_the_hit_and_counted(
    alice_api: Api, settings: Any
) -> None:
    settings.GOCLAW_SEARCH = settings.GOCLAW_SEARCH | {"log_recalls": True}
    made = alice_api.write("The quokka is called Bert.")
    use(alice_api, "memory_search", query="quokka")
    before = alice_api.search("quokka")

    use(alice_api, "memory_feedback", id=made["id"], feedback="useful")

    row = RecallLog.objects.exclude(feedback="").get()
    assert (row.feedback, row.rank, str(row.memory.uid)) == ("useful", 1, made["id"])
    stats = alice_api.get("/memory/stats").json()
    assert stats["feedback"] == {"useful": 1, "wrong": 0}
    assert alice_api.search("quokka")[0]["score"] == pytest.approx(before[0]["score"])
    recall.flush()


def test_feedback_on_what_was_read_without_a_search_is_kept_as_well(
    alice_api: Api,
) -> None:
    made = alice_api.write("The quokka is called Bert.")
    for opinion in ("useful", "wrong"):
        use(alice_api, "memory_feedback", id=made["id"], feedback=opinion)
    row = RecallLog.objects.get()
    assert (row.feedback, row.rank) == ("wrong", 0)


def test_nobody_sees_counts_of_feedback_on_others_records(
    alice_api: Api, bob_api: Api
) -> None:
    made = alice_api.write("The quokka is called Bert.")
    use(alice_api, "memory_feedback", id=made["id"], feedback="wrong")
    assert bob_api.get("/memory/stats").json()["feedback"] == {"useful": 0, "wrong": 0}


def test_another_opinion_is_refused(alice_api: Api) -> None:
    made = alice_api.write("The quokka is called Bert.")
    status, error = refused(
        alice_api, "memory_feedback", id=made["id"], feedback="great"
    )
    assert (status, error["field"]) == (400, "feedback")


# --- what is not the actor's -------------------------------------------------------
@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("memory_get", {}),
        ("memory_forget", {}),
        ("memory_feedback", {"feedback": "wrong"}),
    ],
)
def test_somebody_elses_record_is_a_missing_one(
    alice_api: Api, bob_api: Api, tool: str, more: dict[str, str]
) -> None:
    foreign = alice_api.write("Alice's own")["id"]
    answers = []
    for uid in (foreign, str(uuid4())):
        status, error = refused(bob_api, tool, id=uid, **more)
        del error["request_id"]
        answers.append((status, error))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    assert Memory.objects.get(uid=foreign).forgotten_at is None


def test_no_search_shows_it_either(alice_api: Api, bob_api: Api) -> None:
    alice_api.write("Alice's quokka")
    found = use(bob_api, "memory_search", query="quokka", min_score=0)
    assert found["data"]["results"] == []
    assert found["data"]["pending"] == 0
