"""What the database knows, for Prometheus: counted at each scrape, nothing personal."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from goclaw.lib.metrics import counted
from memory.models import Job, JobState, Memory


class Stored(Collector):
    """Gauges of records, index and jobs."""

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges as they are now."""
        kept = Memory.objects.filter(forgotten_at__isnull=True)
        yield _counted("goclaw_records", "Records, by scope.", kept, "scope")
        yield _counted(
            "goclaw_index_records", "Records, by index state.", kept, "index_state"
        )
        yield _counted("goclaw_jobs", "Jobs, by state.", Job.objects.all(), "state")
        yield GaugeMetricFamily(
            "goclaw_oldest_due_job_seconds",
            "How long the oldest due job has waited.",
            value=_oldest_due_s(),
        )


def text() -> bytes:
    """Return everything in Prometheus' text format."""
    return counted() + generate_latest(_STORED)


def _counted(name: str, what: str, rows: QuerySet[Any], label: str) -> Metric:
    gauge = GaugeMetricFamily(name, what, labels=[label])
    counts = rows.order_by().values_list(label).annotate(n=Count("pk"))
    for value, count in sorted(counts):
        gauge.add_metric([value], count)
    return gauge


def _oldest_due_s() -> float:
    now = timezone.now()
    due = Job.objects.filter(state=JobState.QUEUED, run_at__lte=now)
    oldest = due.aggregate(oldest=Min("run_at"))["oldest"]
    return (now - oldest).total_seconds() if oldest else 0.0


_STORED = CollectorRegistry()
_STORED.register(Stored())
