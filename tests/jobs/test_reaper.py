"""Jobs that a dead worker left behind come back, and a stuck worker is noticed."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from goclaw.lib.processes import host_name, identity
from memory.models import Job, JobKind, JobState
from memory.queue import enqueue
from memory.reaper import is_stuck, reap
from memory.runner import run

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=5)
LONG_AGO = timedelta(minutes=10)


def _running(*, worker: str, lease: timedelta = SOON, **fields: object) -> Job:
    job = enqueue(JobKind.PRUNE, key="k")
    OrmQ.objects.all().delete()
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING,
        attempts=1,
        worker=worker,
        lease_until=timezone.now() + lease,
        delivery=None,
        **fields,
    )
    job.refresh_from_db()
    return job


def _dead_process() -> str:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = identity(process.pid)
    process.communicate()
    return name


def test_a_running_job_of_a_living_worker_is_left_alone() -> None:
    _running(worker=identity())
    assert reap() == 0


def test_a_job_whose_lease_ran_out_comes_back_after_a_pause() -> None:
    job = _running(worker="elsewhere:1:1", lease=-SOON)
    assert reap() == 1
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.QUEUED, 1)
    assert job.run_at > timezone.now()
    assert OrmQ.objects.get(pk=job.delivery).lock == job.run_at


def test_a_job_of_another_host_is_trusted_until_its_lease_is_over() -> None:
    _running(worker="elsewhere:1:1")
    assert reap() == 0


def test_a_job_whose_process_is_gone_comes_back_at_once() -> None:
    job = _running(worker=_dead_process())
    assert reap() == 1
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_a_job_that_keeps_killing_its_worker_is_dead_in_the_end() -> None:
    job = _running(worker=_dead_process())
    Job.objects.update(attempts=job.max_attempts)
    reap()
    job.refresh_from_db()
    assert job.state == JobState.DEAD
    assert "died" in job.error


def test_a_lost_job_gives_way_to_the_twin_that_waits() -> None:
    job = _running(worker=_dead_process())
    twin = enqueue(JobKind.PRUNE, key="k")
    reap()
    job.refresh_from_db()
    twin.refresh_from_db()
    assert job.state == JobState.FAILED
    assert (twin.state, twin.attempts) == (JobState.QUEUED, 1)


def test_a_job_without_a_delivery_is_delivered_again() -> None:
    job = enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    OrmQ.objects.all().delete()
    assert reap() == 1
    job.refresh_from_db()
    assert OrmQ.objects.filter(pk=job.delivery).count() == 1


def test_a_delivery_that_was_taken_and_not_begun_is_replaced() -> None:
    job = enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    OrmQ.objects.update(lock=timezone.now() + LONG_AGO)
    assert reap() == 1
    old = job.delivery
    job.refresh_from_db()
    assert job.delivery != old
    assert OrmQ.objects.count() == 1


def test_a_delivery_that_still_waits_its_turn_is_left_alone() -> None:
    enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    assert reap() == 0


def test_a_job_that_has_just_been_taken_out_is_left_alone() -> None:
    enqueue(JobKind.PRUNE)
    OrmQ.objects.update(lock=timezone.now() + LONG_AGO)
    assert reap() == 0
    assert reap(patience=timedelta()) == 1


def test_an_idle_worker_beside_a_waiting_job_is_stuck() -> None:
    enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    assert is_stuck("quick")
    assert not is_stuck("embed")


def test_a_worker_that_is_at_work_is_not_stuck() -> None:
    enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    _running(worker=identity())
    assert not is_stuck("quick")


def test_a_worker_is_not_stuck_because_another_host_is_at_work() -> None:
    enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    _running(worker="elsewhere:1:1")
    assert is_stuck("quick")


def test_a_job_that_waits_for_its_running_twin_does_not_make_a_worker_stuck() -> None:
    _running(worker="elsewhere:1:1")
    enqueue(JobKind.PRUNE, key="k", run_at=timezone.now() - LONG_AGO)
    assert not is_stuck("quick")


def test_a_worker_that_began_a_job_just_now_is_not_stuck() -> None:
    enqueue(JobKind.PRUNE, run_at=timezone.now() - LONG_AGO)
    Job.objects.create(
        kind=JobKind.PRUNE,
        queue="quick",
        max_attempts=1,
        state=JobState.DONE,
        worker=f"{host_name()}:1:1",
        started_at=timezone.now(),
    )
    assert not is_stuck("quick")


def test_a_worker_between_two_turns_of_a_job_is_not_stuck(
    job_doing: Callable[..., Job],
) -> None:
    enqueue(JobKind.PURGE, run_at=timezone.now() - LONG_AGO)
    job = job_doing("half")
    Job.objects.filter(pk=job.pk).update(started_at=timezone.now() - LONG_AGO)
    run(job.pk)
    assert not is_stuck("quick")
    Job.objects.filter(pk=job.pk).update(run_at=timezone.now() - LONG_AGO)
    assert is_stuck("quick")
