"""The jobs that tidy up delete what is past its time, and only that."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.beats import SILENT_AFTER, beat, leave, silent_queues
from memory.models import Job, JobKind, JobState, WorkerBeat
from memory.queue import Queue, enqueue
from memory.runner import run

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
