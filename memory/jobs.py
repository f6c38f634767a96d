"""Job functions of this app that only tidy up: a run in, a service call, counts out."""

import logging
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_q.models import Failure

from goclaw.lib.config import backup_config
from goclaw.lib.stopping import stop_requested
from memory import entries
from memory.backups.archiving import make_backup
from memory.backups.copying import drop_old_copies
from memory.embeddings import EmbeddingError, get_provider
from memory.models import IdempotentAnswer, Job, JobState, Memory, RecallLog, WorkerBeat
from memory.models.memories import RESTORABLE_FOR
from memory.queue import POLICIES
from memory.runner import JobResult, JobRun
from memory.search.engines import get_engine
from memory.workspace import all_agents, sync

log = logging.getLogger(__name__)

BATCH = 200
RECALLS_KEPT = timedelta(days=180)


def purge(run: JobRun) -> JobResult:
    """Delete for good what was forgotten 30 days ago, expired records, old recalls.

    In small transactions, so that writers need not wait; what is left when the time is
    up comes with the next slice.
    """
    now = timezone.now()
    past = Q(forgotten_at__lte=now - RESTORABLE_FOR) | Q(expires_at__lte=now)
    run.counted["records"] += 0
    while ids := list(
        Memory.objects.filter(past).order_by("id").values_list("id", flat=True)[:BATCH]
    ):
        if run.should_stop():
            return JobResult(finished=False)
        with transaction.atomic():
            # The condition once more: one of them may have been restored since.
            rows = Memory.objects.select_for_update().filter(past, id__in=ids)
            still = list(rows.values_list("id", flat=True))
            entries.leave(still)
            Memory.objects.filter(id__in=still).delete()
        run.counted["records"] += len(still)
        run.heartbeat(run.counted["records"])
    old = RecallLog.objects.filter(created_at__lte=now - RECALLS_KEPT)
    recalls, _ = old.delete()
    return JobResult({"recalls": recalls})


def sync_workspaces(run: JobRun) -> JobResult:
    """Bring the index in step with every agent's files."""
    counts = dict.fromkeys(("added", "changed", "removed", "failed"), 0)
    for agent in all_agents():
        done = sync(agent)
        for name in counts:
            value = getattr(done, name)
            counts[name] += len(value) if isinstance(value, list) else value
        run.heartbeat(sum(counts.values()), note=agent.slug)
    return JobResult(counts)


class _Stopped(Exception):
    """The worker is told to stop in the middle of a backup."""


def back_up(run: JobRun) -> JobResult:
    """Save a copy of everything, and drop the copies that are past their time.

    A backup is of one moment, so one that a stop breaks off is begun anew.
    """

    def seen(done: int, name: str) -> None:
        if stop_requested():
            raise _Stopped
        run.heartbeat(done, note=name)

    config = backup_config()
    counts = {"old_copies": drop_old_copies()}
    if config.nightly:
        try:
            backup = make_backup(keep=config.keep, seen=seen)
        except _Stopped:
            return JobResult(counts, finished=False)
        counts |= {"files": backup.files, "kilobytes": backup.size // 1024}
    return JobResult(counts)


def maintain(run: JobRun) -> JobResult:
    """Do the slow things that keep searches quick, such as building HNSW indexes."""
    get_engine().maintain()
    return JobResult()


def prune(run: JobRun) -> JobResult:
    """Delete job rows, deliveries' failures and signs of life that nobody needs now."""
    now = timezone.now()
    oldest = now - timedelta(days=settings.GOCLAW_JOB_KEEP_DAYS)
    past = Q(finished_at__lte=oldest)
    for kind, policy in POLICIES.items():
        if policy.keep_done is not None:
            past |= Q(
                kind=kind,
                state=JobState.DONE,
                finished_at__lte=now - policy.keep_done,
            )
    jobs, _ = Job.objects.filter(past).delete()
    failures, _ = Failure.objects.filter(stopped__lte=oldest).delete()
    answers = IdempotentAnswer.objects.filter(created_at__lte=now - timedelta(days=1))
    answers.delete()
    beats, _ = WorkerBeat.objects.filter(seen_at__lte=now - timedelta(days=1)).delete()
    return JobResult({"jobs": jobs, "deliveries": failures, "beats": beats})


def warm_up() -> None:
    """Load the embedding model, so that the first record need not wait for it."""
    try:
        provider = get_provider()
        if provider is not None:
            provider.embed_documents(["warm up"])
    except EmbeddingError as error:
        log.warning("The embedding model cannot be loaded yet: %s", error)
