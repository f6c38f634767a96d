"""One attempt at a job: taken once, counted, settled, whatever happens in it."""

import contextlib
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from memory.models import Job, JobKind, JobState
from memory.queue import cancel, enqueue, retry
from memory.runner import run
from memory.templatetags.ui import took

JobDoing = Callable[..., Job]


def test_a_job_is_done_with_its_counts_and_times(job_doing: JobDoing) -> None:
    job = job_doing("count")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result, job.attempts) == (JobState.DONE, {"things": 3}, 1)
    assert (job.progress_done, job.progress_total) == (3, 3)
    assert job.created_at <= job.started_at <= job.finished_at  # type: ignore[operator]
    assert job.lease_until is None
    assert not OrmQ.objects.exists()


def test_a_second_delivery_does_nothing(job_doing: JobDoing) -> None:
    job = job_doing("count")
    run(job.pk)
    run(job.pk)
    job.refresh_from_db()
    assert (job.attempts, job.result) == (1, {"things": 3})


def test_a_job_whose_row_is_gone_ends_quietly(job_doing: JobDoing) -> None:
    job = job_doing("count")
    Job.objects.all().delete()
    run(job.pk)


def test_an_error_that_may_pass_is_tried_again_later_and_later(
    job_doing: JobDoing,
) -> None:
    job = job_doing("stumble")
    pauses = []
    for attempt in range(1, 5):
        Job.objects.update(run_at=timezone.now())
        before = timezone.now()
        run(job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.QUEUED, attempt)
        assert OrmQ.objects.get(pk=job.delivery).lock == job.run_at
        pauses.append(job.run_at - before)
    assert pauses == sorted(pauses)
    assert pauses[0] > timedelta(seconds=4)
    assert job.error == "ConnectionError: no route to the model"


def test_a_job_is_dead_after_its_last_attempt(job_doing: JobDoing) -> None:
    job = job_doing("stumble")
    Job.objects.update(attempts=job.max_attempts - 1)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DEAD, job.max_attempts)
    assert job.finished_at is not None
    assert not OrmQ.objects.exists()


def test_an_error_that_stays_fails_at_once(job_doing: JobDoing) -> None:
    job = job_doing("refuse")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.error == "This can never work. Do not try."


def test_a_job_that_takes_too_long_is_put_back(job_doing: JobDoing) -> None:
    job = job_doing("overrun")
    with pytest.raises(SystemExit):
        run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.QUEUED, 1)


def test_a_handler_that_cannot_be_found_is_an_error_of_the_job(
    job_doing: JobDoing,
) -> None:
    job = job_doing("nothing_of_that_name")
    run(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert "nothing_of_that_name" in job.error


def test_what_is_left_is_queued_at_once_and_the_counts_add_up(
    job_doing: JobDoing,
) -> None:
    job = job_doing("half")
    run(job.pk)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.QUEUED, {"things": 2})
    assert job.attempts == 0
    assert job.run_at <= timezone.now()


@pytest.mark.parametrize("by", ["kill", "error"])
def test_what_was_counted_before_it_broke_off_is_not_lost(
    job_doing: JobDoing, by: str
) -> None:
    job = job_doing("broken_off", payload={"by": by})
    with contextlib.suppress(KeyboardInterrupt):
        run(job.pk)
    job.refresh_from_db()
    assert job.result == {"things": 1}
    Job.objects.update(state=JobState.QUEUED, lease_until=None, run_at=timezone.now())
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"things": 2, "others": 1})


def test_a_cancelled_job_ends_at_its_next_heartbeat(job_doing: JobDoing) -> None:
    job = job_doing("cancelled_meanwhile")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result, job.error) == (JobState.CANCELLED, {}, "")


def test_a_job_that_comes_too_early_is_delivered_when_due(job_doing: JobDoing) -> None:
    later = timezone.now() + timedelta(hours=1)
    job = job_doing("count", run_at=later)
    OrmQ.objects.all().delete()
    run(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert OrmQ.objects.get(pk=job.delivery).lock == later


def test_a_job_waits_for_its_running_twin_and_is_delivered_at_its_end(
    job_doing: JobDoing,
) -> None:
    first = job_doing("count", key="k")
    Job.objects.update(state=JobState.RUNNING, lease_until=timezone.now(), worker="w")
    second = enqueue(JobKind.PRUNE, key="k")
    run(second.pk)
    second.refresh_from_db()
    assert (second.state, second.delivery) == (JobState.QUEUED, None)

    cancel(first)
    second.refresh_from_db()
    assert OrmQ.objects.filter(pk=second.delivery).exists()
    run(second.pk)
    second.refresh_from_db()
    assert second.state == JobState.DONE


def test_work_that_became_necessary_again_meanwhile_is_done_again(
    job_doing: JobDoing,
) -> None:
    first = job_doing("requeued_meanwhile", key="k", payload={"key": "k"})
    run(first.pk)
    first.refresh_from_db()
    second = Job.objects.get(state=JobState.QUEUED)
    assert first.state == JobState.DONE
    assert OrmQ.objects.filter(pk=second.delivery).exists()


def test_a_twin_takes_over_the_attempts_of_a_job_that_failed(
    job_doing: JobDoing,
) -> None:
    payload = {"key": "k", "then": "stumble"}
    first = job_doing("requeued_meanwhile", key="k", payload=payload)
    run(first.pk)
    first.refresh_from_db()
    second = Job.objects.get(state=JobState.QUEUED)
    assert first.state == JobState.FAILED
    assert second.attempts == 1
    assert second.run_at > timezone.now()
    assert OrmQ.objects.get(pk=second.delivery).lock == second.run_at


def test_a_job_of_several_turns_took_as_long_as_all_of_them(
    job_doing: JobDoing,
) -> None:
    job = job_doing("half")
    run(job.pk)
    began = timezone.now() - timedelta(minutes=5)
    Job.objects.update(started_at=began)
    job_doing("count")
    run(job.pk)

    job.refresh_from_db()
    assert (job.state, job.started_at) == (JobState.DONE, began)
    assert took(job) == "5 min"


def test_a_job_that_is_repeated_begins_anew(job_doing: JobDoing) -> None:
    job = job_doing("refuse")
    run(job.pk)

    assert retry(job).started_at is None
