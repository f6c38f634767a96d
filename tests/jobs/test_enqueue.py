"""Queueing: in the caller's transaction, one waiting job of a key, nothing missed."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django_q.models import OrmQ

from accounts.actors import actor_for_user
from accounts.models import User
from goclaw.lib.errors import Conflict
from memory.models import Job, JobKind, JobState
from memory.queue import cancel, enqueue, retry
from memory.runner import run


class Rollback(Exception):
    """Ends a transaction."""


@pytest.mark.django_db
def test_a_rollback_takes_the_job_and_its_delivery_back() -> None:
    def write() -> None:
        enqueue(JobKind.PRUNE)
        raise Rollback

    with pytest.raises(Rollback):
        transaction.atomic(write)()
    assert not Job.objects.exists()
    assert not OrmQ.objects.exists()


@pytest.mark.django_db
def test_a_key_has_one_waiting_job_and_its_delivery() -> None:
    first = enqueue(JobKind.INDEX, key="all")
    second = enqueue(JobKind.INDEX, key="all")
    other = enqueue(JobKind.INDEX, key="else")
    assert first.pk == second.pk != other.pk
    assert OrmQ.objects.count() == 2
    assert set(OrmQ.objects.values_list("key", flat=True)) == {"embed"}


@pytest.mark.django_db
def test_jobs_without_a_key_are_all_kept() -> None:
    assert enqueue(JobKind.PRUNE).pk != enqueue(JobKind.PRUNE).pk


@pytest.mark.django_db
def test_a_running_job_does_not_count_as_waiting() -> None:
    first = enqueue(JobKind.PRUNE, key="k")
    Job.objects.filter(pk=first.pk).update(
        state=JobState.RUNNING, lease_until=timezone.now()
    )
    assert enqueue(JobKind.PRUNE, key="k").pk != first.pk


@pytest.mark.django_db
def test_a_waiting_job_costs_a_write_one_look(
    django_assert_num_queries: object,
) -> None:
    enqueue(JobKind.INDEX, key="all")
    looks = 2 if connection.vendor == "postgresql" else 1  # there, a lock before it
    with transaction.atomic(), django_assert_num_queries(looks):  # type: ignore[operator]
        enqueue(JobKind.INDEX, key="all")


@pytest.mark.django_db
def test_a_job_for_later_is_not_due_before() -> None:
    later = timezone.now() + timedelta(hours=1)
    job = enqueue(JobKind.PRUNE, run_at=later)
    assert OrmQ.objects.get(pk=job.delivery).lock == later


@pytest.mark.django_db
def test_who_started_it_is_kept() -> None:
    user = User.objects.create_user("alice")
    job = enqueue(JobKind.PRUNE, started_by=actor_for_user(user))
    assert job.started_by == user


@pytest.mark.django_db(transaction=True)
def test_writers_at_the_same_moment_make_one_job() -> None:
    start = threading.Barrier(6)

    def write() -> None:
        start.wait()
        with transaction.atomic():
            enqueue(JobKind.INDEX, key="all")
        connection.close()

    _in_threads(*[write] * 6)
    assert Job.objects.count() == OrmQ.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_job_is_not_taken_before_a_writer_that_relies_on_it_commits() -> None:
    job = enqueue(JobKind.PRUNE, key="k")
    queued = threading.Event()
    committed_at = 0.0

    def write() -> None:
        nonlocal committed_at
        with transaction.atomic():
            enqueue(JobKind.PRUNE, key="k")
            queued.set()
            time.sleep(0.3)
            committed_at = time.time()
        connection.close()

    def work() -> None:
        queued.wait()
        run(job.pk)
        connection.close()

    _in_threads(write, work)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.started_at is not None
    assert job.finished_at is not None
    assert job.finished_at.timestamp() >= committed_at


@pytest.mark.django_db
@pytest.mark.parametrize("state", [JobState.FAILED, JobState.DEAD, JobState.CANCELLED])
def test_what_did_not_succeed_can_be_repeated(state: JobState) -> None:
    job = enqueue(JobKind.PRUNE, key="k")
    run(job.pk)
    Job.objects.filter(pk=job.pk).update(state=state, attempts=5, error="no")
    again = retry(job)
    assert (again.pk, again.state, again.attempts) == (job.pk, JobState.QUEUED, 0)
    assert OrmQ.objects.filter(pk=again.delivery).exists()


@pytest.mark.django_db
def test_repeating_joins_the_twin_that_waits() -> None:
    dead = enqueue(JobKind.PRUNE, key="k")
    Job.objects.filter(pk=dead.pk).update(state=JobState.DEAD)
    waiting = enqueue(JobKind.PRUNE, key="k")
    assert retry(dead).pk == waiting.pk


@pytest.mark.django_db
def test_a_job_that_waits_cannot_be_repeated() -> None:
    with pytest.raises(Conflict) as refusal:
        retry(enqueue(JobKind.PRUNE))
    assert refusal.value.code == "job_not_repeatable"


@pytest.mark.django_db
def test_a_cancelled_job_is_no_longer_delivered() -> None:
    job = enqueue(JobKind.PRUNE)
    cancel(job)
    assert not OrmQ.objects.exists()
    run(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    with pytest.raises(Conflict):
        cancel(job)


def _in_threads(*functions: object) -> None:
    threads = [threading.Thread(target=f) for f in functions]  # type: ignore[arg-type]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
