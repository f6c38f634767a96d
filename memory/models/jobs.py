"""Work to be done later: the row is the truth, the queue only carries its id."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access


class JobKind(models.TextChoices):
    """What a job does; `memory.queue.POLICIES` says by which function and how often."""

    INDEX = "index", "index records"
    REINDEX = "reindex", "make the index anew"
    SYNC = "sync", "read workspace files"
    MAINTAIN = "maintain", "maintain the search indexes"
    EMBED = "embed", "embed messages"
    TRIM = "trim", "trim a session"
    CLOSE = "close", "close idle sessions"
    IMPORT_PAGES = "import_pages", "import wiki pages"
    DISTILL = "distill", "distil pages from facts"
    EXTRACT = "extract", "learn from conversations"
    JUDGE = "judge", "judge which records are replaced"
    REVISE = "revise", "revise all records"
    DEDUPE = "dedupe", "find records that say the same"
    CONSOLIDATE = "consolidate", "merge records that say the same"
    CURATE = "curate", "take old notes into Memory.md"
    REPLAY = "replay", "rebuild Memory.md from archives"
    HEARTBEAT = "heartbeat", "look after every agent's memory"
    BACKUP = "backup", "save a copy of everything"
    PURGE = "purge", "purge what is past its time"
    PURGE_FILES = "purge_files", "purge files that belong to nothing"
    PRUNE = "prune", "prune old job rows"


class JobState(models.TextChoices):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """It met an error that trying again will not cure."""
    DEAD = "dead"
    """It used up its attempts."""
    CANCELLED = "cancelled"


UNFINISHED = frozenset({JobState.QUEUED, JobState.RUNNING})
REPEATABLE = frozenset({JobState.FAILED, JobState.DEAD, JobState.CANCELLED})


class JobQuerySet(models.QuerySet["Job"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return every job for an administrator, else those the actor started.

        A run without a person behind it, or with other people beside, does not get an
        administrator's view.
        """
        if access.can_administrate(actor):
            return self
        if actor.user_id is None:
            return self.none()
        return self.filter(started_by_id=actor.user_id)

    def in_state(self, *states: JobState) -> Self:
        """Return the jobs that stand in one of the states."""
        return self.filter(state__in=states)

    def twins_of(self, job: "Job") -> Self:
        """Return the other jobs of the same kind and key; none for a job without."""
        if not job.key:
            return self.none()
        return self.filter(kind=job.kind, key=job.key).exclude(pk=job.pk)

    def unblocked(self) -> Self:
        """Return the jobs of which no twin is running."""
        running = Job.objects.filter(
            kind=models.OuterRef("kind"),
            key=models.OuterRef("key"),
            state=JobState.RUNNING,
        ).exclude(key="")
        return self.exclude(models.Exists(running))


class Job(models.Model):
    """One piece of work: what, for whom, how far, and what became of it."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=32, choices=JobKind.choices)
    queue = models.CharField(max_length=16)
    key = models.CharField(
        max_length=128,
        blank=True,
        default="",
        help_text="At most one job of a kind and key waits, and at most one runs.",
    )
    payload = models.JSONField(
        default=dict, blank=True, help_text="Ids, switches, and how far it has come."
    )
    state = models.CharField(
        max_length=16, choices=JobState.choices, default=JobState.QUEUED
    )
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(null=True, blank=True)
    progress_note = models.CharField(max_length=200, blank=True, default="")
    result = models.JSONField(default=dict, blank=True, help_text="Counts by name.")
    report = models.TextField(
        blank=True, default="", help_text="What it found, for people to read."
    )
    error = models.CharField(max_length=500, blank=True, default="")

    attempts = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField()
    worker = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="The process that took it last: host, process id, start time.",
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    delivery = models.BigIntegerField(
        null=True, blank=True, help_text="Row of django-q2's queue that carries it."
    )

    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    run_at = models.DateTimeField(default=timezone.now)
    # When it first began: turns and attempts that follow leave it.
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        db_table = "memory_jobs"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                name="one_waiting_job_of_a_key",
                fields=["kind", "key"],
                condition=models.Q(state=JobState.QUEUED) & ~models.Q(key=""),
            ),
            models.UniqueConstraint(
                name="one_running_job_of_a_key",
                fields=["kind", "key"],
                condition=models.Q(state=JobState.RUNNING) & ~models.Q(key=""),
            ),
            models.CheckConstraint(
                name="a_running_job_has_a_lease",
                condition=models.Q(state=JobState.RUNNING, lease_until__isnull=False)
                | (
                    ~models.Q(state=JobState.RUNNING)
                    & models.Q(lease_until__isnull=True)
                ),
            ),
        ]
        indexes = [
            # The question inside every write: does one wait already?
            models.Index(fields=["kind", "key", "state"], name="job_key"),
            # What the reaper looks at.
            models.Index(fields=["state", "run_at"], name="job_due"),
            models.Index(fields=["-created_at", "-id"], name="job_list"),
            models.Index(
                fields=["started_by", "-created_at", "-id"], name="job_list_of_user"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"


class WorkerBeat(models.Model):
    """When the worker of a queue on a host was last seen alive."""

    queue = models.CharField(max_length=16)
    host = models.CharField(max_length=150)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "memory_worker_beats"
        constraints = [
            models.UniqueConstraint(fields=["queue", "host"], name="one_beat_a_worker")
        ]

    def __str__(self) -> str:
        return f"{self.queue} on {self.host}"
