"""Run one job: take it, count the attempt, commit, work, settle.

A job may be delivered twice, be killed at any moment, or be gone: whoever holds the row
(state, attempt and process) may write to it, nobody else.
"""

import logging
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.module_loading import import_string

from goclaw.lib import logs
from goclaw.lib.errors import GoClawError, Unavailable
from goclaw.lib.processes import identity
from goclaw.lib.stopping import stop_requested
from memory.models.jobs import Job, JobKind, JobQuerySet, JobState
from memory.queue import POLICIES, deliver, deliver_successor, lock_key, withdraw

log = logging.getLogger(__name__)

SLICE_S = 60.0
"""Seconds after which a job should hand back what it has not done yet."""
PROGRESS_EVERY_S = 1.0
"""Seconds between two writes of the progress."""
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=10)


class JobTaken(Exception):
    """The job is no longer this process's: it was cancelled, or its lease ran out."""


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a handler leaves when it is done, or hands back what is left to do."""

    counts: dict[str, int] = field(default_factory=dict)
    """What is not in `JobRun.counted` yet."""
    finished: bool = True
    """False: queue it again at once, for the rest."""
    report: str = ""
    """What people may read of it; an empty one leaves what was reported before."""


class JobRun:
    """One attempt at a job, as its handler sees it."""

    def __init__(self, job: Job) -> None:
        self.id = job.pk
        self.uid = str(job.uid)
        self.counted = Counter[str](job.result)
        """By name, since the job began. What is counted here as it is done survives a
        kill, but for the last second; a handler that goes on from a place in its
        payload, which a kill sets back, leaves its counts in each turn's result."""
        self.payload: dict[str, Any] = job.payload
        self.started_by_id: int | None = job.started_by_id
        self._job = job
        self._lease = lease_of(JobKind(job.kind))
        self._progress: dict[str, Any] = {}
        self._slice_ends = time.monotonic() + SLICE_S
        self._written = time.monotonic()

    def should_stop(self) -> bool:
        """Say whether to return with `finished=False`: on a stop or when time is up."""
        return stop_requested() or time.monotonic() > self._slice_ends

    def heartbeat(self, done: int, total: int | None = None, note: str = "") -> None:
        """Note progress and counts, renew the lease; written at most once a second.

        Raises JobTaken, which a handler lets pass: somebody else has the job now.
        """
        self._progress = {
            "progress_done": done,
            "progress_total": total,
            "progress_note": note[:200],
        }
        if time.monotonic() - self._written < PROGRESS_EVERY_S:
            return
        self._written = time.monotonic()
        lease = timezone.now() + self._lease
        self._write(lease_until=lease, **self._progress)

    def remember(self) -> None:
        """Write payload and counts now, for whoever goes on if this process dies.

        Raises JobTaken.
        """
        self._write(payload=self.payload)

    def _write(self, **values: Any) -> None:
        if not _held(self._job).update(result=dict(self.counted), **values):
            raise JobTaken

    def hand_over(self) -> Job | None:
        """Return the row, for settling it, or None if it is no longer ours.

        Call it inside a transaction; it holds the job's key until the end of that.
        """
        lock_key(self._job.kind, self._job.key, shared=False)
        if not _held(self._job).exists():
            log.warning("%s ends after it was taken away", self._job.kind)
            return None
        for name, value in self._progress.items():
            setattr(self._job, name, value)
        self._job.result = dict(self.counted)
        return self._job


def run(job_id: int) -> None:
    """Run a job that was delivered; quietly nothing if it is not to be had."""
    job = _claim(job_id)
    if job is None:
        return
    token = logs.job_id.set(str(job.uid))
    try:
        _work(job)
    finally:
        logs.job_id.reset(token)


def lease_of(kind: JobKind) -> timedelta:
    """Return how long a job of the kind is somebody's without a sign of life."""
    policy = POLICIES[kind]
    longest = policy.timeout or timedelta(seconds=settings.GOCLAW_JOB_TIMEOUT)
    return policy.lease or longest + timedelta(seconds=30)


def put_back(job: Job, *, error: str) -> None:
    """Queue a job that did not succeed after a pause, or end it as dead.

    Call it inside a transaction that holds the job's key.
    """
    if job.attempts >= job.max_attempts:
        _end(job, JobState.DEAD, error)
        return
    pause = min(FIRST_PAUSE * 4 ** (job.attempts - 1), LONGEST_PAUSE)
    _requeue(job, pause=pause, error=error)


def _claim(job_id: int) -> Job | None:
    """Take the job for this process, or see to it that it is delivered when due."""
    job = Job.objects.filter(pk=job_id).first()
    if job is None or job.state != JobState.QUEUED:
        return None
    with transaction.atomic():
        lock_key(job.kind, job.key, shared=False)
        now = timezone.now()
        taken = (
            Job.objects.filter(pk=job_id, state=JobState.QUEUED, run_at__lte=now)
            .unblocked()
            .update(
                state=JobState.RUNNING,
                attempts=job.attempts + 1,
                worker=identity(),
                lease_until=now + lease_of(JobKind(job.kind)),
                started_at=Coalesce("started_at", Value(now)),
            )
        )
        job = Job.objects.filter(pk=job_id).first()
        if job is None:
            return None
        if not taken and job.state == JobState.QUEUED and job.run_at > now:
            deliver(job)
            return None
        # From here the lease watches over it; a twin that runs delivers it at its end.
        withdraw(job)
        job.save(update_fields=["delivery"])
    return job if taken else None


def _work(job: Job) -> None:
    log.info("%s starts, attempt %d of %d", job.kind, job.attempts, job.max_attempts)
    attempt = JobRun(job)
    try:
        handler = import_string(POLICIES[JobKind(job.kind)].handler)
        result = handler(attempt)
    except JobTaken:
        log.warning("%s was taken away", job.kind)
    except Exception as error:
        log.warning("%s failed", job.kind, exc_info=True)
        if not connection.in_atomic_block:  # the error may be that it broke
            connection.close_if_unusable_or_obsolete()
        _settle_failure(attempt, error, permanent=_is_permanent(error))
    except SystemExit as error:  # django-q2's timeout; it replaces this process
        log.warning("%s took too long", job.kind)
        _settle_failure(attempt, error, permanent=False)
        raise
    else:
        _settle_success(attempt, result)


def _settle_success(attempt: JobRun, result: JobResult) -> None:
    attempt.counted.update(result.counts)
    with transaction.atomic():
        job = attempt.hand_over()
        if job is None:
            return
        job.report = result.report or job.report
        if result.finished:
            _end(job, JobState.DONE)
            return
        job.attempts = 0
        _requeue(job, pause=timedelta(seconds=1 if stop_requested() else 0))


def _settle_failure(attempt: JobRun, error: BaseException, *, permanent: bool) -> None:
    text = _told(error)
    with transaction.atomic():
        job = attempt.hand_over()
        if job is None:
            return
        if permanent:
            _end(job, JobState.FAILED, text)
        else:
            put_back(job, error=text)


def _told(error: BaseException) -> str:
    """Return what people read: a refusal says what would work, a fault what it is."""
    if isinstance(error, GoClawError):
        return f"{error.message} {error.remedy or ''}".rstrip()
    return f"{type(error).__name__}: {error}"


def _is_permanent(error: Exception) -> bool:
    """Say whether trying again is useless: the error says so, or it is a refusal."""
    refusal = isinstance(error, GoClawError) and not isinstance(error, Unavailable)
    return bool(getattr(error, "permanent", refusal))


def _requeue(job: Job, *, pause: timedelta, error: str = "") -> None:
    """Queue the job again; a twin that waits already takes its place instead."""
    twin = Job.objects.twins_of(job).in_state(JobState.QUEUED).first()
    run_at = timezone.now() + pause
    if twin is None:
        job.state = JobState.QUEUED
        job.lease_until = None
        job.run_at = run_at
        job.error = error[:500]
        job.save()
        deliver(job)
        return
    twin.attempts = job.attempts
    twin.run_at = max(twin.run_at, run_at)
    twin.save(update_fields=["attempts", "run_at"])
    deliver(twin)
    _end(job, JobState.FAILED if error else JobState.DONE, error)


def _end(job: Job, state: JobState, error: str = "") -> None:
    job.state = state
    job.lease_until = None
    job.error = error[:500]
    job.finished_at = timezone.now()
    job.save()
    deliver_successor(job)
    log.info("%s is %s", job.kind, state, extra={"counts": job.result})


def _held(job: Job) -> JobQuerySet:
    return Job.objects.filter(
        pk=job.pk, state=JobState.RUNNING, attempts=job.attempts, worker=job.worker
    )
