"""Queue work in the transaction that makes it necessary.

The `Job` row is the truth. django-q2 carries its id to a worker through a table of the
same database, so a rollback takes both back, and nobody has to wait for a commit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

from accounts.actors import Actor
from goclaw.lib import sql
from goclaw.lib.errors import Conflict
from memory.locks import lock
from memory.models.jobs import REPEATABLE, UNFINISHED, Job, JobKind, JobState

RUNNER = "memory.runner.run"


class Queue(StrEnum):
    """Which worker process takes a job."""

    QUICK = "quick"
    EMBED = "embed"


@dataclass(frozen=True, slots=True)
class JobPolicy:
    """How jobs of one kind are run."""

    handler: str
    """Dotted path of `(JobRun) -> JobResult`; resolved in the worker only."""
    queue: Queue = Queue.QUICK
    max_attempts: int = 5
    timeout: timedelta | None = None
    """How long one may take; None: GOCLAW_JOBS_TIMEOUT."""
    lease: timedelta | None = None
    """How long one may go without a heartbeat; None: as long as a job may take."""
    keep_done: timedelta | None = None
    """How long a finished row is kept, where that is shorter than for other kinds."""


_HOURS = timedelta(hours=6)
"""For what cannot be done in turns, and grows with all there is."""

POLICIES: dict[JobKind, JobPolicy] = {
    JobKind.INDEX: JobPolicy(
        handler="memory.indexing.run_index_job",
        queue=Queue.EMBED,
        lease=timedelta(seconds=90),
        keep_done=timedelta(hours=1),
    ),
    JobKind.REINDEX: JobPolicy(
        handler="memory.reindexing.run_reindex_job",
        queue=Queue.EMBED,
        lease=timedelta(seconds=90),
    ),
    JobKind.SYNC: JobPolicy(
        handler="memory.jobs.sync_workspaces", keep_done=timedelta(hours=1)
    ),
    JobKind.MAINTAIN: JobPolicy(handler="memory.jobs.maintain", timeout=_HOURS),
    JobKind.EMBED: JobPolicy(
        handler="memory.sessions.indexing.run_embed_job",
        queue=Queue.EMBED,
        lease=timedelta(seconds=90),
        keep_done=timedelta(hours=1),
    ),
    JobKind.TRIM: JobPolicy(handler="memory.sessions.trimming.run_trim_job"),
    JobKind.CLOSE: JobPolicy(
        handler="memory.sessions.changing.close_idle", keep_done=timedelta(hours=1)
    ),
    JobKind.IMPORT_PAGES: JobPolicy(handler="wiki.importing.job.run_import_job"),
    JobKind.DISTILL: JobPolicy(handler="wiki.distilling.run_distill_job"),
    JobKind.EXTRACT: JobPolicy(
        handler="memory.sessions.extracting.run_extract_job",
        keep_done=timedelta(days=1),
    ),
    JobKind.JUDGE: JobPolicy(
        handler="memory.lifecycle.judging.run_judge_job", keep_done=timedelta(days=1)
    ),
    JobKind.REVISE: JobPolicy(handler="memory.lifecycle.revising.run_revise_job"),
    JobKind.DEDUPE: JobPolicy(handler="memory.lifecycle.dedupe.run_dedupe_job"),
    JobKind.CONSOLIDATE: JobPolicy(
        handler="memory.lifecycle.consolidation.run_consolidate_job"
    ),
    JobKind.CURATE: JobPolicy(handler="memory.lifecycle.curation.run_curate_job"),
    JobKind.REPLAY: JobPolicy(handler="memory.replaying.run_replay_job"),
    JobKind.HEARTBEAT: JobPolicy(handler="memory.heartbeat.run_heartbeat_job"),
    JobKind.BACKUP: JobPolicy(
        handler="memory.jobs.back_up", max_attempts=2, timeout=_HOURS
    ),
    JobKind.PURGE: JobPolicy(handler="memory.jobs.purge"),
    JobKind.PURGE_FILES: JobPolicy(handler="wiki.purging.purge_files"),
    JobKind.PRUNE: JobPolicy(handler="memory.jobs.prune", keep_done=timedelta(hours=1)),
}


_WAITING = "kind = %s AND key = %s AND state = %s"


def enqueue(
    kind: JobKind,
    *,
    key: str | None = None,
    payload: dict[str, Any] | None = None,
    run_at: datetime | None = None,
    started_by: Actor | None = None,
) -> Job:
    """Return the job that will do it, once the surrounding transaction is committed.

    With a key, a job that already waits is returned instead of a second one. One that
    runs does not count: it may have looked before the caller's change was there, so a
    successor waits for it to end. Call it last in the transaction: who queues the first
    job of a key holds up the others until the commit.
    """
    policy = POLICIES[kind]
    with transaction.atomic(savepoint=False):
        if key:
            lock_key(kind, key, shared=True)
            if waiting := sql.first(Job, _WAITING, kind, key, JobState.QUEUED):
                return waiting
        job = Job(
            kind=kind,
            queue=policy.queue,
            key=key or "",
            payload=payload or {},
            max_attempts=policy.max_attempts,
            run_at=run_at or timezone.now(),
            started_by_id=started_by.user_id if started_by else None,
        )
        # Two transactions may both have seen none: the second waits here for the
        # first, and then finds its row.
        Job.objects.bulk_create([job], ignore_conflicts=True)
        stored = Job.objects.filter(uid=job.uid).first()
        if stored is None:
            return Job.objects.get(kind=kind, key=key, state=JobState.QUEUED)
        deliver(stored)
        return stored


def deliver(job: Job) -> None:
    """Send a waiting job to its queue, due at its `run_at`, in place of what was sent.

    Call it inside a transaction.
    """
    withdraw(job)
    outbox = _Outbox(job.queue, job.run_at)
    options = {"broker": outbox, "task_name": str(job)}
    if timeout := POLICIES[JobKind(job.kind)].timeout:
        options["timeout"] = int(timeout.total_seconds())
    async_task(RUNNER, job.pk, q_options=options)
    job.delivery = outbox.row_id
    job.save(update_fields=["delivery"])


def withdraw(job: Job) -> None:
    """Take back what was sent of a job."""
    if job.delivery is not None:
        OrmQ.objects.filter(pk=job.delivery).delete()
        job.delivery = None


def retry(job: Job) -> Job:
    """Queue a failed, dead or cancelled job again, as if new.

    Returns the twin when one of its key already waits. Raises Conflict for a job that
    waits, runs or is done.
    """
    with transaction.atomic():
        lock_key(job.kind, job.key, shared=False)
        job.refresh_from_db()
        if job.state not in REPEATABLE:
            raise Conflict(
                f"The job is {job.state}.",
                code="job_not_repeatable",
                remedy="Only failed, dead and cancelled jobs can be repeated.",
            )
        if twin := Job.objects.twins_of(job).in_state(JobState.QUEUED).first():
            return twin
        job.state = JobState.QUEUED
        job.attempts = 0
        job.run_at = timezone.now()
        job.started_at = None
        job.finished_at = None
        job.error = ""
        job.save()
        deliver(job)
        return job


def cancel(job: Job) -> None:
    """Take a waiting job out, or tell a running one to end at its next heartbeat."""
    with transaction.atomic():
        lock_key(job.kind, job.key, shared=False)
        job.refresh_from_db()
        if job.state not in UNFINISHED:
            raise Conflict(f"The job is {job.state}.", code="job_not_cancellable")
        withdraw(job)
        job.state = JobState.CANCELLED
        job.lease_until = None
        job.finished_at = timezone.now()
        job.save()
        deliver_successor(job)


def deliver_successor(job: Job) -> None:
    """Send the twin that waited for a job to end, unless it is on its way already."""
    twin = Job.objects.twins_of(job).in_state(JobState.QUEUED).first()
    if twin is not None and twin.delivery is None:
        deliver(twin)


def lock_key(kind: str, key: str, *, shared: bool) -> None:
    """Hold off, until the end of the transaction, who starts or ends jobs of a key.

    Without it a job could be taken, and look around, between a writer's "one waits
    already" and that writer's commit; its change would then wait for the next write.
    Writers share the lock, so they do not wait for each other.
    """
    if key:
        lock(("job", str(kind), key), shared=shared)


class _Outbox:
    """What `async_task` needs of a broker: here one row, due at a given time."""

    def __init__(self, queue: str, due: datetime) -> None:
        self.list_key = queue
        self.due = due
        self.row_id: int | None = None

    def enqueue(self, package: str) -> int:
        row = OrmQ.objects.create(key=self.list_key, payload=package, lock=self.due)
        self.row_id = int(row.pk)
        return self.row_id
