"""Records against each other: what replaced what."""

from collections.abc import Iterator

from django.db import transaction

from memory.checking.registry import Check, register
from memory.locks import lock
from memory.models import Memory
from memory.models.memories import MemoryQuerySet


def _cycles() -> Iterator[list[int]]:
    """Yield the records of each circle of replacements."""
    replaced = Memory.objects.filter(superseded_by__isnull=False)
    following = dict(replaced.values_list("pk", "superseded_by_id"))
    settled: set[int] = set()
    for start in following:
        path: list[int] = []
        at: int | None = start
        while at is not None and at not in settled:
            if at in path:
                yield path[path.index(at) :]
                break
            path.append(at)
            at = following.get(at)
        settled.update(path)


def _break_cycles() -> None:
    """Bring back the newest record of each circle, unless its fact was set again."""
    for cycle in list(_cycles()):
        with transaction.atomic():
            rows = Memory.objects.select_for_update().filter(pk__in=cycle)
            newest = rows.order_by("-created_at", "-pk")[0]
            lock(("fact", newest.space_id, newest.domain, newest.key))
            newest.superseded_by = None
            rivals = Memory.objects.current().filter(
                space=newest.space_id,
                domain=newest.domain,
                key=newest.key,
                forgotten_at__isnull=True,
            )
            if not newest.key or not rivals.exists():
                newest.superseded_at = None
            newest.save(update_fields=["superseded_by", "superseded_at"])


def _undated() -> MemoryQuerySet:
    return Memory.objects.filter(
        superseded_by__isnull=False, superseded_at__isnull=True
    )


def _date() -> None:
    for memory in _undated().select_related("superseded_by"):
        if memory.superseded_by is not None:
            memory.superseded_at = memory.superseded_by.created_at
            memory.save(update_fields=["superseded_at"])


register(
    Check(
        name="replaced-in-a-circle",
        problem="circles of records that replaced each other",
        find=lambda: [", ".join(map(str, cycle)) for cycle in _cycles()],
        repair=_break_cycles,
    )
)
register(
    Check(
        name="replaced-and-live",
        problem="records that have a replacement and count as live",
        find=lambda: _undated().values_list("uid", flat=True),
        repair=_date,
    )
)
