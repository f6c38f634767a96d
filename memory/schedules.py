"""What happens by the clock: the list below, and nothing else.

django-q2 keeps schedules in a table whose rows name any function to call, so the table
follows this list: rows that are not in it, or differ from it, do not survive a start.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule

from goclaw.lib.config import upkeep_config
from memory.models.jobs import JobKind
from memory.queue import Queue, enqueue

STARTER = "memory.schedules.start"


@dataclass(frozen=True, slots=True)
class Periodic:
    """One job by the clock."""

    name: str
    kind: JobKind
    hour: int | None = None
    """Every day at this hour of the configured time zone; None: by `minutes`."""
    minutes: int = 60
    """How many minutes pass between two, where it is not daily."""


PERIODIC = (
    Periodic("sys-jobs-prune", JobKind.PRUNE),
    Periodic("sys-workspace-sync", JobKind.SYNC),
    Periodic("sys-session-close", JobKind.CLOSE, minutes=5),
    Periodic("sys-backup", JobKind.BACKUP, hour=1),
    Periodic("sys-session-extract", JobKind.EXTRACT, minutes=15),
    Periodic("sys-search-maintain", JobKind.MAINTAIN, hour=2),
    Periodic("sys-memory-judge", JobKind.JUDGE),
    Periodic("sys-memory-consolidate", JobKind.CONSOLIDATE, hour=3),
    Periodic("sys-memory-purge", JobKind.PURGE, hour=4),
    Periodic("sys-files-purge", JobKind.PURGE_FILES, hour=4),
)


def start(kind: str) -> None:
    """Queue the job of a schedule, unless one still waits."""
    enqueue(JobKind(kind), key="scheduled")


def ensure_schedules() -> None:
    """Make django-q2's table say what the code says; may run any number of times."""
    with transaction.atomic():
        wanted = (*PERIODIC, *_by_settings())
        Schedule.objects.exclude(name__in=[p.name for p in wanted]).delete()
        for periodic in wanted:
            _ensure(periodic)


def schedules_are_late() -> bool:
    """Say whether the scheduler does not get through: one bad row stops all."""
    late = timezone.now() - timedelta(minutes=2)
    return bool(Schedule.objects.filter(next_run__lte=late).exists())


def _by_settings() -> Iterator[Periodic]:
    """Yield what happens only if a setting says so."""
    if hours := upkeep_config().heartbeat_hours:
        yield Periodic("sys-memory-heartbeat", JobKind.HEARTBEAT, minutes=60 * hours)


def _ensure(periodic: Periodic) -> None:
    wanted = {
        "func": STARTER,
        "args": repr((periodic.kind.value,)),
        "kwargs": None,
        "hook": None,
        "cluster": Queue.QUICK.value,
        "schedule_type": Schedule.MINUTES if periodic.hour is None else Schedule.DAILY,
        "minutes": periodic.minutes if periodic.hour is None else None,
        "repeats": -1,
    }
    rows = Schedule.objects.filter(name=periodic.name)
    if rows.count() == 1 and rows.filter(**wanted).exists():
        return
    rows.delete()
    Schedule.objects.create(
        name=periodic.name, next_run=_next_run(periodic.hour), **wanted
    )


def _next_run(hour: int | None) -> datetime:
    now = timezone.localtime()
    if hour is None:
        return now + timedelta(minutes=5)
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)
