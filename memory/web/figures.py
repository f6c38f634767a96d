"""Figures about all the records an actor may read, counted at most once a minute."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from accounts.actors import Actor
from memory import access, feedback
from memory.models import Memory, RecallLog
from memory.scopes import IndexState
from memory.search.filters import pending_records
from memory.stats import count_records

GROWTH_DAYS = 30
MOST_RECALLED = 5
KEPT_FOR_S = 60
"""Counting reads every record: seconds, where there are very many."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of readable, live records; `recalled` has (row id, times), most first."""

    by_state: dict[str, int]
    by_scope: list[tuple[str, int]]
    by_kind: list[tuple[str, int]]
    growth: list[tuple[str, int]]
    recalled: list[tuple[int, int]]
    feedback: dict[str, int]
    never_recalled: int

    @property
    def total(self) -> int:
        """Return how many records there are."""
        return sum(self.by_state.values())


def figures(actor: Actor) -> Figures:
    """Return the counts, the pending ones as of now and the rest at most a minute old.

    They are kept for the spaces they were counted in, so that whoever reads other
    spaces is never shown them.
    """
    spaces = "-".join(map(str, sorted(access.readable_space_ids(actor))))
    key = f"memory.web.figures:{timezone.get_current_timezone_name()}:{spaces}"
    counted: Figures | None = cache.get(key)
    if counted is None:
        counted = _count(actor)
        cache.set(key, counted, KEPT_FOR_S)
    pending = pending_records(actor)
    settled = counted.by_state[IndexState.FAILED]
    indexed = max(0, counted.total - pending - settled)
    return replace(
        counted,
        by_state=counted.by_state
        | {IndexState.PENDING: pending, IndexState.INDEXED: indexed},
    )


def recalled_records(actor: Actor, counted: Figures) -> list[tuple[Memory, int]]:
    """Return the records behind `recalled`, as far as they are still there to read."""
    found = (
        Memory.objects.readable_by(actor)
        .live()
        .in_bulk([pk for pk, _ in counted.recalled])
    )
    return [(found[pk], times) for pk, times in counted.recalled if pk in found]


def _count(actor: Actor) -> Figures:
    live = Memory.objects.readable_by(actor).live().order_by()
    counts = count_records(actor)
    recalls = RecallLog.objects.filter(memory=OuterRef("pk"))
    return Figures(
        by_state={state: counts.by_state[state] for state in IndexState.values},
        by_scope=counts.by_scope.most_common(),
        by_kind=counts.by_kind.most_common(),
        growth=_growth(actor),
        recalled=_recalled(actor),
        feedback=feedback.count(actor, since=_begin()),
        never_recalled=live.filter(~Exists(recalls)).count(),
    )


def _recalled(actor: Actor) -> list[tuple[int, int]]:
    return list(
        RecallLog.objects.filter(
            access.readable(actor, prefix="memory__"),
            access.live(timezone.now(), prefix="memory__"),
            created_at__gt=_begin(),
        )
        .order_by()
        .values_list("memory")
        .annotate(n=Count("pk"))
        .order_by("-n", "memory")[:MOST_RECALLED]
    )


def _begin() -> datetime:
    return timezone.now() - timedelta(days=GROWTH_DAYS)


def _growth(actor: Actor) -> list[tuple[str, int]]:
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
