"""Signs of life of the workers: a row for each queue and host, written now and then."""

import os
from datetime import timedelta

from django.utils import timezone

from goclaw.lib.processes import host_name
from memory.models.jobs import WorkerBeat
from memory.queue import Queue

EVERY_S = 10.0
"""Seconds between two beats."""
SILENT_AFTER = timedelta(seconds=35)


def beat(queue: str) -> None:
    """Note that the worker of the queue on this host is alive."""
    now = timezone.now()
    started = WorkerBeat.objects.filter(
        queue=queue, host=host_name(), pid=os.getpid()
    ).update(seen_at=now)
    if not started:
        WorkerBeat.objects.update_or_create(
            queue=queue,
            host=host_name(),
            defaults={"pid": os.getpid(), "started_at": now, "seen_at": now},
        )


def leave(queue: str) -> None:
    """Note that the worker of the queue on this host has stopped."""
    WorkerBeat.objects.filter(queue=queue, host=host_name(), pid=os.getpid()).delete()


def silent_queues() -> list[str]:
    """Return the queues of which no worker, on any host, has been seen lately."""
    seen = set(
        WorkerBeat.objects.filter(
            seen_at__gt=timezone.now() - SILENT_AFTER
        ).values_list("queue", flat=True)
    )
    return [queue.value for queue in Queue if queue not in seen]
