"""Counters and timings for Prometheus, filled as things happen in web processes."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from goclaw.lib.counting import counts_together

REGISTRY = CollectorRegistry()

search_seconds = Histogram(
    "goclaw_search_seconds",
    "Time of searches, by part.",
    ["part"],
    buckets=(0.005, 0.01, 0.02, 0.03, 0.06, 0.12, 0.25, 0.5, 1, 2.5, 5),
    registry=REGISTRY,
)
requests = Counter(
    "goclaw_requests",
    "Requests, by method and class of status.",
    ["method", "status"],
    registry=REGISTRY,
)

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def count_request(method: str | None, status: int) -> None:
    """Count one answered request; made-up methods share one label."""
    name = method if method in METHODS else "other"
    requests.labels(name, f"{status // 100}xx").inc()


def counted() -> bytes:
    """Return what all web processes have counted, in Prometheus' text format."""
    if not counts_together():
        return generate_latest(REGISTRY)
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return generate_latest(together)
