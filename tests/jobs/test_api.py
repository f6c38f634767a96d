"""Jobs over REST: one's own, all of them for administrators."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import actor_for_user
from accounts.models import User
from memory.models import Job, JobKind, JobState
from memory.queue import enqueue
from tests.people import Api


@pytest.fixture
def job(alice: User) -> Job:
    """Return a job that alice started and that is dead."""
    made = enqueue(JobKind.PRUNE, started_by=actor_for_user(alice))
    made.state = JobState.DEAD
    made.error = "ConnectionError: no route"
    made.result = {"things": 2}
    made.progress_done, made.progress_total = 2, 5
    made.save()
    return made


def _ids(answer: object) -> list[str]:
    return [row["id"] for row in answer.json()["results"]]  # type: ignore[attr-defined]


def test_a_job_says_where_it_stands(alice_api: Api, job: Job) -> None:
    body = alice_api.get(f"/jobs/{job.uid}").json()
    assert body["state"] == "dead"
    assert body["progress"] == {"done": 2, "total": 5, "note": ""}
    assert body["counts"] == {"things": 2}
    assert body["error"] == "ConnectionError: no route"
    assert body["started_by"] == "alice"


def test_a_person_sees_the_jobs_they_started(
    alice_api: Api, bob_api: Api, job: Job
) -> None:
    enqueue(JobKind.PRUNE)
    assert _ids(alice_api.get("/jobs")) == [str(job.uid)]
    assert _ids(bob_api.get("/jobs")) == []


@pytest.mark.parametrize(
    ("method", "verb"), [("get", ""), ("post", "/retry"), ("post", "/cancel")]
)
def test_a_strangers_job_is_not_there(
    bob_api: Api, job: Job, method: str, verb: str
) -> None:
    answer = bob_api(method, f"/jobs/{job.uid}{verb}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
    assert bob_api(method, f"/jobs/{uuid.uuid4()}{verb}").status_code == 404


def test_an_administrator_sees_all_jobs_but_not_in_an_autonomous_run(
    admin_api: Api, cron_api: Api, job: Job
) -> None:
    other = enqueue(JobKind.PRUNE)
    assert _ids(admin_api.get("/jobs")) == [str(other.uid), str(job.uid)]
    assert _ids(cron_api.get("/jobs")) == []


def test_jobs_are_listed_by_state_and_kind(admin_api: Api, job: Job) -> None:
    other = enqueue(JobKind.INDEX)
    assert _ids(admin_api.get("/jobs", state="dead")) == [str(job.uid)]
    assert _ids(admin_api.get("/jobs", kind="index")) == [str(other.uid)]
    refusal = admin_api.get("/jobs", state="asleep")
    assert refusal.status_code == 400
    assert refusal.json()["error"]["field"] == "state"


def test_a_list_costs_the_same_however_long(
    admin_api: Api, alice: User, job: Job
) -> None:
    admin_api.get("/jobs")  # the first call of a key notes its use
    with CaptureQueriesContext(connection) as short:
        admin_api.get("/jobs")
    for _ in range(20):
        enqueue(JobKind.PRUNE, started_by=actor_for_user(alice))
    with CaptureQueriesContext(connection) as long:
        assert len(_ids(admin_api.get("/jobs"))) == 21
    assert len(long) == len(short)


def test_a_dead_job_can_be_repeated_by_who_started_it(alice_api: Api, job: Job) -> None:
    answer = alice_api.post(f"/jobs/{job.uid}/retry")
    assert answer.status_code == 202
    assert (answer.json()["id"], answer.json()["state"]) == (str(job.uid), "queued")
    again = alice_api.post(f"/jobs/{job.uid}/retry")
    assert again.status_code == 409
    assert again.json()["error"]["code"] == "job_not_repeatable"


def test_a_waiting_job_can_be_cancelled_and_queued_again(
    alice_api: Api, alice: User
) -> None:
    waiting = enqueue(JobKind.PRUNE, started_by=actor_for_user(alice))
    answer = alice_api.post(f"/jobs/{waiting.uid}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    late = alice_api.post(f"/jobs/{waiting.uid}/cancel")
    assert late.status_code == 409
    assert late.json()["error"]["code"] == "job_not_cancellable"
    assert alice_api.post(f"/jobs/{waiting.uid}/retry").status_code == 202
