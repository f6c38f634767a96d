"""The real worker, and what is left when parts of it are killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from goclaw.cluster import GUARD_DIED, STUCK
from memory.models import Job, JobKind, JobState
from memory.queue import enqueue
from tests.jobs.running import processes_of, start, wait_for

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

Worker = subprocess.Popen[str]


@pytest.fixture
def start_worker(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Return a function that starts a worker of the quick queue, with settings."""
    started: list[Worker] = []

    def start_one(**settings: str) -> Worker:
        worker = start(
            "tests.jobs.worker_under_test",
            "quick",
            state_dir=tmp_path,
            **{"GOCLAW_JOBS_WORKERS": "1"} | settings,
        )
        started.append(worker)
        return worker

    yield start_one
    for worker in started:
        worker.kill()
        worker.communicate()
    wait_for(lambda: not processes_of(tmp_path))


@pytest.fixture
def queue_one(tmp_path: Path) -> Callable[..., Job]:
    """Return a function that queues a job which notes each start in `starts`."""

    def queue(do: str = "", *, kind: JobKind = JobKind.PRUNE, **payload: object) -> Job:
        file = str(tmp_path / "starts")
        return enqueue(kind, payload={"do": do, "file": file, **payload})

    return queue


def _state(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def _starts(folder: Path) -> list[str]:
    file = folder / "starts"
    return file.read_text().splitlines() if file.exists() else []


def _worker_child(folder: Path) -> int:
    return int(_starts(folder)[-1].split()[0])


def _guard(folder: Path) -> int:
    return int(_starts(folder)[-1].split()[1])


def test_a_stop_lets_a_short_job_end_and_has_a_long_one_hand_back_the_rest(
    start_worker: Callable[[], Worker],
    queue_one: Callable[..., Job],
    tmp_path: Path,
) -> None:
    worker = start_worker()
    job = queue_one()
    wait_for(lambda: _state(job) == JobState.DONE)
    running = queue_one("sleep", seconds=1)
    long = queue_one("wait for stop")
    wait_for(lambda: _state(running) == JobState.RUNNING)
    worker.terminate()
    assert worker.wait(timeout=120) == 0
    assert _state(running) == JobState.DONE
    assert _state(long) == JobState.QUEUED
    assert long.delivery is not None
    assert not processes_of(tmp_path)


def test_a_job_that_kills_its_process_ends_dead_and_a_killed_guard_the_worker(
    start_worker: Callable[[], Worker],
    queue_one: Callable[..., Job],
    tmp_path: Path,
) -> None:
    worker = start_worker()
    deadly = queue_one("crash")
    wait_for(lambda: _state(deadly) == JobState.DEAD)
    assert len(_starts(tmp_path)) == deadly.attempts == deadly.max_attempts
    harmless = queue_one()
    wait_for(lambda: _state(harmless) == JobState.DONE)
    os.kill(_guard(tmp_path), signal.SIGKILL)
    assert worker.wait(timeout=120) == GUARD_DIED
    wait_for(lambda: not processes_of(tmp_path), seconds=3)


def test_nothing_survives_a_killed_worker_and_the_next_one_does_its_job(
    start_worker: Callable[[], Worker],
    queue_one: Callable[..., Job],
    tmp_path: Path,
) -> None:
    first = start_worker()
    job = queue_one("sleep", seconds=30)
    wait_for(lambda: _state(job) == JobState.RUNNING)
    waiting = queue_one()
    first.kill()
    wait_for(lambda: not processes_of(tmp_path), seconds=3)

    Job.objects.filter(pk=job.pk).update(payload=waiting.payload)
    start_worker()
    wait_for(lambda: _state(job) == _state(waiting) == JobState.DONE)
    assert job.attempts == 2
    assert waiting.attempts == 1


def test_a_stop_of_the_whole_session_does_not_hang(
    start_worker: Callable[[], Worker],
    queue_one: Callable[..., Job],
    tmp_path: Path,
) -> None:
    worker = start_worker()
    job = queue_one()
    wait_for(lambda: _state(job) == JobState.DONE)
    os.killpg(worker.pid, signal.SIGTERM)
    worker.wait(timeout=120)
    wait_for(lambda: not processes_of(tmp_path), seconds=3)


def test_a_worker_that_can_no_longer_take_jobs_asks_to_be_replaced(
    start_worker: Callable[[], Worker],
    queue_one: Callable[..., Job],
    tmp_path: Path,
) -> None:
    worker = start_worker()
    job = queue_one()
    wait_for(lambda: _state(job) == JobState.DONE)
    # Idle, it holds the lock of the queue inside django-q2, now for ever.
    os.kill(_worker_child(tmp_path), signal.SIGKILL)
    queue_one()
    assert worker.wait(timeout=120) == STUCK
    wait_for(lambda: not processes_of(tmp_path), seconds=3)


def test_a_job_is_ended_when_its_time_is_up_and_a_backup_has_more_of_it(
    start_worker: Callable[..., Worker], queue_one: Callable[..., Job]
) -> None:
    start_worker(GOCLAW_JOBS_TIMEOUT="10", GOCLAW_JOBS_WORKERS="2")
    endless = queue_one("sleep", seconds=600)
    backup = queue_one("sleep", kind=JobKind.BACKUP, seconds=14)
    wait_for(lambda: _state(backup) == JobState.DONE)
    assert backup.attempts == 1
    wait_for(lambda: _state(endless) and endless.attempts > 1)
    assert "Task exceeded maximum timeout value (10 seconds)" in endless.error
