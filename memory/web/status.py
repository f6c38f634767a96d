"""What the status page says of workers, embedding model and database."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone

from goclaw.lib.config import embedding_config
from goclaw.lib.metrics import search_seconds
from memory import vectors
from memory.beats import SILENT_AFTER
from memory.models import Job, JobState, WorkerBeat
from memory.queue import Queue
from memory.stats import database_bytes


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
class SearchTimes:
    """Milliseconds within which half and 95 % of the searches were answered.

    They are the upper ends of the histogram's buckets, infinite past the last one.
    """

    searches: int
    half_ms: float
    most_ms: float


@dataclass(frozen=True, slots=True)
class Storage:
    """The database: engine with version, and its size in bytes."""

    engine: str
    size: int


def search_times() -> SearchTimes | None:
    """Return how long the searches of this process took, None before the first."""
    buckets = [
        (float(sample.labels["le"]) * 1000, int(sample.value))
        for metric in search_seconds.collect()
        for sample in metric.samples
        if sample.name.endswith("_bucket") and sample.labels["part"] == "total"
    ]
    searches = buckets[-1][1] if buckets else 0
    if not searches:
        return None

    def within(share: float) -> float:
        return next(ms for ms, count in buckets if count >= searches * share)

    return SearchTimes(searches, within(0.5), within(0.95))


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
