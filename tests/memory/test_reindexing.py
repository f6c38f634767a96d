"""Making the index anew on request."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from memory import reindexing
from memory.models import Chunk, Job, JobState, Memory
from memory.search.engines import get_engine
from tests.memory.indexes import LONG, jobs, one_turn, vectors, words
from tests.memory.searching import by_word
from tests.people import Api, api_for

pytestmark = pytest.mark.django_db

RunJobs = Callable[[], int]
REINDEX = "/memory/reindex"


# --- what it does --------------------------------------------------------------------
def test_an_unchanged_cut_keeps_chunks_and_vectors(
    alice_api: Api, admin_api: Api, run_jobs: RunJobs
) -> None:
    made = alice_api.write(LONG)
    run_jobs()
    before, kept = words(), vectors()
    get_engine().index_chunks([(pk, ["lost"]) for pk in before])
    assert by_word(alice_api, "herons") == []

    answer = admin_api.post(REINDEX)
    assert answer.status_code == 202
    run_jobs()
    job = admin_api.get(f"/jobs/{answer.json()['id']}").json()
    assert job["state"] == "done"
    assert job["progress"]["done"] == job["progress"]["total"] == 1
    assert job["counts"] == {"records": 1, "entered_anew": 0}
    assert words() == before
    assert vectors() == kept
    assert alice_api.get(f"/memory/records/{made['id']}").json()["version"] == 1


def test_with_vectors_everything_is_entered_anew(
    alice_api: Api, admin_api: Api, run_jobs: RunJobs
) -> None:
    alice_api.write("the heron stands still")
    run_jobs()
    old = vectors()
    admin_api.post(REINDEX, {"vectors": True})
    run_jobs()
    assert jobs()[0].result == {"records": 1, "entered_anew": 1}
    assert vectors()
    assert not old & vectors()
    assert Memory.objects.get().index_state == "indexed"


def test_forgotten_records_stay_out_and_superseded_ones_in(
    alice_api: Api, admin_api: Api, run_jobs: RunJobs
) -> None:
    gone = alice_api.write("a wombat to forget")
    alice_api("delete", f"/memory/records/{gone['id']}")
    for value in ("numbat", "bilby"):
        alice_api("put", "/memory/facts/personal/-/pet", {"value": value})
    admin_api.post(REINDEX, {"vectors": True})
    run_jobs()
    assert by_word(alice_api, "wombat") == []
    assert by_word(alice_api, "numbat") == []
    assert len(by_word(alice_api, "numbat", include_history=True)) == 1
    assert len(by_word(alice_api, "bilby")) == 1


def test_a_record_that_changes_or_goes_meanwhile_is_left_alone(
    alice_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change comes between reading a record and replacing its entries."""
    edited, forgotten, kept = (
        alice_api.write(f"{name} heron")["id"] for name in ("first", "second", "third")
    )
    really = reindexing._next_batch

    def meanwhile(after: int) -> Any:
        batch = really(after)
        if after == 0:
            path = "/memory/records/"
            alice_api("patch", path + edited, {"content": "now an egret"})
            alice_api("delete", path + forgotten)
        return batch

    monkeypatch.setattr(reindexing, "_next_batch", meanwhile)
    reindexing.follow_settings()
    one_turn()
    assert by_word(alice_api, "egret") == [edited]
    assert by_word(alice_api, "heron") == [kept]
    assert Chunk.objects.count() == 2


# --- its place -----------------------------------------------------------------------
def test_it_goes_on_where_it_was(
    alice_api: Api, admin_api: Api, run_jobs: RunJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [{"scope": "personal", "content": f"heron {n}"} for n in range(50)]
    alice_api.post("/memory/records/bulk", {"records": items})
    run_jobs()
    monkeypatch.setattr(reindexing, "TURN_S", -1.0)
    uid = admin_api.post(REINDEX).json()["id"]
    one_turn()
    half = admin_api.get(f"/jobs/{uid}").json()
    assert half["state"] == "queued"
    assert half["progress"] == {"done": 20, "total": 50, "note": ""}
    assert len(alice_api.search("heron", max_results=50)) == 50

    # Its worker is killed in the next turn: the place is that of the last one.
    Job.objects.filter(uid=uid).update(attempts=1)
    one_turn()
    run_jobs()
    done = admin_api.get(f"/jobs/{uid}").json()
    assert done["state"] == "done"
    assert done["counts"]["records"] == 50


def test_new_records_get_their_vectors_in_between(
    alice_api: Api, admin_api: Api, monkeypatch: pytest.MonkeyPatch, run_jobs: RunJobs
) -> None:
    """No more records lack vectors at a time than a turn enters anew."""
    items = [{"scope": "personal", "content": f"heron {n}"} for n in range(60)]
    alice_api.post("/memory/records/bulk", {"records": items})
    run_jobs()
    monkeypatch.setattr(reindexing, "ENTERED_A_TURN", 20)
    admin_api.post(REINDEX, {"vectors": True})
    one_turn()
    assert Memory.objects.filter(index_state="pending").count() == 20
    due = Job.objects.filter(state=JobState.QUEUED).order_by("delivery")
    assert [job.kind for job in due] == ["index", "reindex"]


# --- who, and how often --------------------------------------------------------------
def test_one_job_is_enough(admin_api: Api, alice_api: Api, run_jobs: RunJobs) -> None:
    alice_api.write("a heron")
    first = admin_api.post(REINDEX).json()["id"]
    assert admin_api.post(REINDEX).json()["id"] == first
    assert admin_api.post(REINDEX, {"vectors": True}).json()["id"] == first
    assert admin_api.post(REINDEX).json()["id"] == first
    run_jobs()
    assert jobs()[0].result["entered_anew"] == 1
    assert admin_api.post(REINDEX).json()["id"] != first


def test_a_wish_for_more_than_what_runs_is_a_second_job(admin_api: Api) -> None:
    first = admin_api.post(REINDEX).json()["id"]
    Job.objects.filter(uid=first).update(
        state=JobState.RUNNING, lease_until="2999-01-01T00:00Z"
    )
    assert admin_api.post(REINDEX).json()["id"] == first
    second = admin_api.post(REINDEX, {"vectors": True}).json()["id"]
    assert second != first
    assert admin_api.post(REINDEX, {"vectors": True}).json()["id"] == second


def test_an_idempotency_key_gives_the_first_answer_again(
    admin_api: Api, run_jobs: RunJobs
) -> None:
    first = admin_api.post(REINDEX, {}, Idempotency_Key="k").json()["id"]
    run_jobs()
    assert admin_api.post(REINDEX, {}, Idempotency_Key="k").json()["id"] == first


@pytest.mark.parametrize("body", [{"vectors": "perhaps"}, {"vector": True}, [1]])
def test_bad_input_is_named(admin_api: Api, body: Any) -> None:
    answer = admin_api.post(REINDEX, body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"]
    assert jobs() == []


def test_only_an_administrator_at_work_may(
    alice_api: Api, admin: User, admin_api: Api
) -> None:
    shared = admin_api.headers | {"X-GoClaw-Conversation": "shared"}
    refused = [
        alice_api,
        Api(admin_api.secret, shared),
        *(api_for(admin, run=run) for run in ("sop", "cron", "webhook")),
    ]
    for api in refused:
        answer = api.post(REINDEX)
        assert answer.status_code == 403
        assert answer.json()["error"]["remedy"]
    assert jobs() == []
