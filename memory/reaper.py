"""Bring back jobs that a dead worker left behind, and notice a worker that is stuck.

The worker's main process calls these every few seconds, not a django-q2 schedule: one
row that its scheduler cannot read stops all of them.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django_q.models import OrmQ

from goclaw.lib.processes import host_name, is_gone
from memory.models.jobs import Job, JobState
from memory.queue import deliver, lock_key
from memory.runner import put_back

log = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=15)
"""How long a due job may wait after a worker took its delivery and did not begin."""
STUCK_AFTER = timedelta(seconds=30)
"""How long a due job may wait for a worker that has nothing else to do."""


def reap(*, patience: timedelta = PATIENCE) -> int:
    """Return how many jobs were taken back from dead workers or delivered again.

    A worker that starts passes no patience: what its predecessor held is lost.
    """
    return _take_back() + _deliver_again(patience)


def is_stuck(queue: str) -> bool:
    """Say whether due jobs wait although this host's worker of the queue is idle.

    An idle process that is killed while it holds django-q2's internal queue leaves that
    locked for ever; only a new worker helps.
    """
    now = timezone.now()
    lately = now - STUCK_AFTER
    ours = Job.objects.filter(queue=queue, worker__startswith=host_name() + ":")
    due = Job.objects.filter(queue=queue, state=JobState.QUEUED, run_at__lte=lately)
    at_work = Q(state=JobState.RUNNING) | Q(started_at__gte=lately)
    handed_back = Q(state=JobState.QUEUED, run_at__range=(lately, now))
    at_work |= Q(finished_at__gte=lately) | handed_back
    return due.unblocked().exists() and not ours.filter(at_work).exists()


def _take_back() -> int:
    """Queue again, or end, the running jobs whose process is gone or lease is over."""
    now = timezone.now()
    count = 0
    for job in Job.objects.in_state(JobState.RUNNING):
        if job.lease_until and job.lease_until > now and not is_gone(job.worker):
            continue
        with transaction.atomic():
            lock_key(job.kind, job.key, shared=False)
            lost = Job.objects.filter(
                pk=job.pk,
                state=JobState.RUNNING,
                attempts=job.attempts,
                worker=job.worker,
                lease_until=job.lease_until,
            ).first()
            if lost is not None:
                put_back(lost, error="The worker died while it was at it.")
                count += 1
                log.warning("%s was left by a dead worker", lost)
    return count


def _deliver_again(patience: timedelta) -> int:
    """Send again the due jobs whose delivery is gone, or taken and not begun."""
    now = timezone.now()
    waiting = OrmQ.objects.filter(pk=OuterRef("delivery"), lock__lte=now)
    overdue = Job.objects.unblocked().filter(
        ~Exists(waiting), state=JobState.QUEUED, run_at__lte=now - patience
    )
    count = 0
    for job in overdue:
        with transaction.atomic():
            lock_key(job.kind, job.key, shared=False)
            lost = (
                Job.objects.unblocked()
                .filter(pk=job.pk, state=JobState.QUEUED, delivery=job.delivery)
                .first()
            )
            if lost is not None:
                deliver(lost)
                count += 1
    return count
