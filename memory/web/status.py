"""What the status page knows, as far as the actor may read it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.config import embedding_config
from memory import vectors
from memory.beats import SILENT_AFTER
from memory.models import Job, JobState, Memory, RecallLog, WorkerBeat
from memory.queue import Queue
from memory.stats import database_bytes

GROWTH_DAYS = 30
MOST_RECALLED = 5


@dataclass(frozen=True, slots=True)
class Records:
    """How many readable, live records there are, counted three ways."""

    total: int
    by_state: dict[str, int]
    by_scope: list[tuple[str, int]]
    by_kind: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class QueueState:
    """One queue: whether a worker lives, what waits."""

    name: str
    seen_at: datetime | None
    alive: bool
    waiting: int
    running: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Model:
    """Which embedding model searches use, and which one is being built."""

    serving: str
    configured: str

    @property
    def is_changing(self) -> bool:
        """Say whether vectors of another model are being built."""
        return bool(self.serving) and self.serving != self.configured


@dataclass(frozen=True, slots=True)
class Storage:
    """The database: engine with version, and its size in bytes."""

    engine: str
    size: int


def count_records(actor: Actor) -> Records:
    """Count in one pass over the readable records."""
    rows = (
        Memory.objects.readable_by(actor)
        .live()
        .order_by()
        .values_list("scope", "kind", "index_state")
        .annotate(n=Count("pk"))
    )
    scopes: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    states: Counter[str] = Counter()
    for scope, kind, state, n in rows:
        scopes[scope] += n
        kinds[kind] += n
        states[state] += n
    return Records(
        total=states.total(),
        by_state=dict(states),
        by_scope=scopes.most_common(),
        by_kind=kinds.most_common(),
    )


def growth(actor: Actor) -> list[tuple[str, int]]:
    """Return how many readable records were written on each of the last days."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    days = [today - timedelta(days=n) for n in reversed(range(GROWTH_DAYS))]
    counted = (
        Memory.objects.readable_by(actor)
        .filter(created_at__gte=days[0])
        .aggregate(
            **{
                f"day_{n}": Count("pk", filter=Q(created_at__range=_day(day)))
                for n, day in enumerate(days)
            }
        )
    )
    return [(f"{day:%-d %b}", counted[f"day_{n}"]) for n, day in enumerate(days)]


def _day(start: datetime) -> tuple[datetime, datetime]:
    return start, start + timedelta(days=1, microseconds=-1)


def queue_states() -> list[QueueState]:
    """Return what each queue's workers and jobs are doing."""
    seen = dict(WorkerBeat.objects.order_by("seen_at").values_list("queue", "seen_at"))
    jobs = {
        (queue, state): (n, oldest)
        for queue, state, n, oldest in Job.objects.in_state(
            JobState.QUEUED, JobState.RUNNING
        )
        .order_by()
        .values_list("queue", "state")
        .annotate(n=Count("pk"), oldest=Min("run_at"))
    }
    alive_since = timezone.now() - SILENT_AFTER
    states = []
    for queue in Queue:
        waiting, oldest = jobs.get((queue, JobState.QUEUED), (0, None))
        last = seen.get(queue)
        states.append(
            QueueState(
                name=queue,
                seen_at=last,
                alive=last is not None and last > alive_since,
                waiting=waiting,
                running=jobs.get((queue, JobState.RUNNING), (0, None))[0],
                oldest=oldest,
            )
        )
    return states


def embedding_model() -> Model:
    """Return the model in use, without loading it."""
    serving = vectors.serving_model_row()
    config = embedding_config()
    none = config.provider == "none"
    return Model(
        serving=serving.name if serving and not none else "",
        configured="" if none else config.model,
    )


def storage() -> Storage:
    """Return the engine and how much room the database takes."""
    version = ".".join(map(str, connection.get_database_version()))
    return Storage(f"{connection.display_name} {version}", database_bytes())


def most_recalled(actor: Actor) -> Sequence[Memory]:
    """Return the readable records that searches returned most in the last days."""
    since = timezone.now() - timedelta(days=GROWTH_DAYS)
    top = dict(
        RecallLog.objects.filter(
            created_at__gt=since,
            memory__in=Memory.objects.readable_by(actor).live().values("pk"),
        )
        .order_by()
        .values_list("memory")
        .annotate(n=Count("pk"))
        .order_by("-n")[:MOST_RECALLED]
    )
    found = Memory.objects.readable_by(actor).filter(pk__in=top).defer("metadata")
    for memory in found:
        memory.recall_count = top[memory.pk]  # type: ignore[attr-defined]
    return sorted(found, key=lambda memory: -top[memory.pk])


def never_recalled(actor: Actor) -> int:
    """Count the readable records that no search has returned so far."""
    return (
        Memory.objects.readable_by(actor)
        .live()
        .filter(~Exists(RecallLog.objects.filter(memory=OuterRef("pk"))))
        .count()
    )
