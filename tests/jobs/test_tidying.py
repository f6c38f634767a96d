"""The jobs that tidy up delete what is past its time, and only that."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.beats import SILENT_AFTER, beat, leave, silent_queues
from memory.models import Job, JobKind, JobState, Memory, WorkerBeat
from memory.queue import Queue, enqueue
from memory.runner import run
from tests.people import Api

pytestmark = pytest.mark.django_db


def _ended(kind: JobKind, state: JobState, *, age: timedelta) -> Job:
    return Job.objects.create(
        kind=kind,
        queue="quick",
        max_attempts=1,
        state=state,
        finished_at=timezone.now() - age,
    )


def test_job_rows_are_kept_as_long_as_their_kind_says() -> None:
    day, month = timedelta(days=1), timedelta(days=31)
    kept = [
        _ended(JobKind.PURGE, JobState.DONE, age=day),
        _ended(JobKind.INDEX, JobState.DEAD, age=day),
        _ended(JobKind.INDEX, JobState.DONE, age=timedelta(minutes=5)),
        enqueue(JobKind.INDEX, run_at=timezone.now() - month),
    ]
    _ended(JobKind.INDEX, JobState.DONE, age=day)
    _ended(JobKind.INDEX, JobState.DEAD, age=month)
    _ended(JobKind.PURGE, JobState.DONE, age=month)
    job = enqueue(JobKind.PRUNE)
    run(job.pk)
    job.refresh_from_db()
    assert job.result["jobs"] == 3
    assert set(Job.objects.all()) == {*kept, job}


def test_the_purge_takes_what_is_past_its_time_and_only_that(alice_api: Api) -> None:
    now = timezone.now()
    names = ["fresh", "binned", "long in the bin", "expired", "expires tomorrow"]
    ids = {name: alice_api.write(f"A note that is {name}.")["id"] for name in names}
    for name, change in {
        "binned": {"forgotten_at": now - timedelta(days=29)},
        "long in the bin": {"forgotten_at": now - timedelta(days=31)},
        "expired": {"expires_at": now - timedelta(seconds=1)},
        "expires tomorrow": {"expires_at": now + timedelta(days=1)},
    }.items():
        Memory.objects.filter(uid=ids[name]).update(**change)
    job = enqueue(JobKind.PURGE)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["records"]) == (JobState.DONE, 2)
    left = {str(uid) for uid in Memory.objects.values_list("uid", flat=True)}
    assert left == {ids[name] for name in ("fresh", "binned", "expires tomorrow")}


def test_a_worker_is_silent_until_it_beats_and_after_it_left() -> None:
    assert silent_queues() == [queue.value for queue in Queue]
    beat("quick")
    beat("quick")
    assert silent_queues() == ["embed"]
    assert WorkerBeat.objects.count() == 1
    leave("quick")
    assert silent_queues() == ["quick", "embed"]


def test_a_worker_that_was_not_seen_for_a_while_is_silent() -> None:
    beat("quick")
    beat("embed")
    WorkerBeat.objects.filter(queue="embed").update(
        seen_at=timezone.now() - SILENT_AFTER
    )
    assert silent_queues() == ["embed"]
