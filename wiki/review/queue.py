"""The queue: what waits for an actor, narrowed, counted, and in order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from accounts.actors import Actor
from memory.models import ReviewItem, ReviewKind, ReviewState, Risk
from memory.models.review import ReviewItemQuerySet
from wiki.review.access import items_for, reviewable_space_ids

MOST_COUNTED = 99
"""A badge says that there are more, and not how many."""
DECIDED = "decided"
SETTLED = (ReviewState.APPROVED, ReviewState.REJECTED, ReviewState.UNDONE)

RISKS: Mapping[str, Risk] = {
    "unsourced": Risk.UNSOURCED,
    "contradicts": Risk.CONTRADICTS,
    "deletes-much": Risk.DELETES_MUCH,
    "hidden-characters": Risk.HIDDEN_CHARACTERS,
    "external": Risk.EXTERNAL,
    "stale-base": Risk.STALE_BASE,
}
"""Flags by the names that addresses and answers have for them."""
NONE, ANY = "none", "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a list is narrowed to; empty ones do not narrow.

    `risk` is a name of `RISKS`, `any` or `none`. `state` is pending or decided.
    """

    kind: str = ""
    domain: str = ""
    run: str = ""
    agent: str = ""
    risk: str = ""
    older_than_days: int = 0
    state: str = ReviewState.PENDING.value


@dataclass(frozen=True, slots=True)
class Counts:
    """How much waits for somebody."""

    total: int = 0
    by_kind: Mapping[str, int] = field(default_factory=dict)
    risky: int = 0


def listed(actor: Actor, filters: Filters) -> ReviewItemQuerySet:
    """Return the items that fit, ready for a row of a list, in no order yet."""
    rows = _narrowed(actor, filters).select_related("decided_by", "draft")
    return rows.defer("draft__body", "draft__structure", "draft__tags")


def _narrowed(actor: Actor, filters: Filters) -> ReviewItemQuerySet:
    rows = items_for(actor)
    if filters.state == DECIDED:
        rows = rows.filter(state__in=SETTLED)
    else:
        rows = rows.pending()
    for name in ("kind", "domain", "run", "agent"):
        if value := getattr(filters, name):
            rows = rows.filter(**{name: value})
    if filters.risk == NONE:
        rows = rows.filter(risks=0)
    elif filters.risk == ANY:
        rows = rows.exclude(risks=0)
    elif filters.risk:
        rows = rows.with_risk(RISKS[filters.risk])
    if filters.older_than_days:
        before = timezone.now() - timedelta(days=filters.older_than_days)
        rows = rows.filter(created_at__lt=before)
    return rows


def counts(actor: Actor) -> Counts:
    """Return how much waits for the actor, by kind."""
    rows = ReviewItem.objects.pending().filter(
        space_id__in=list(reviewable_space_ids(actor))
    )
    pairs = rows.order_by().values_list("kind", "risks").annotate(n=Count("pk"))
    by_kind = dict.fromkeys(ReviewKind.values, 0)
    risky = 0
    for kind, risks, number in pairs:
        by_kind[kind] += number
        risky += number if risks else 0
    return Counts(sum(by_kind.values()), by_kind, risky)


def count_up_to(actor: Actor, most: int = MOST_COUNTED) -> int:
    """Return how much waits for the actor, `most` + 1 for more than that."""
    if not reviewable_space_ids(actor):
        return 0
    return len(items_for(actor).pending().order_by().values("pk")[: most + 1])


def neighbours(
    actor: Actor, filters: Filters, item: ReviewItem
) -> tuple[ReviewItem | None, ReviewItem | None]:
    """Return the items before and after one in the queue."""
    rows = _narrowed(actor, filters).only("uid", "queued_at")
    here = (item.queued_at, item.pk)
    return _beyond(rows, here, "lt"), _beyond(rows, here, "gt")


def risk_names(risks: int) -> list[str]:
    """Return the names of the flags of an item."""
    return [name for name, risk in RISKS.items() if risks & risk]


def _beyond(
    rows: ReviewItemQuerySet, here: tuple[datetime, int], lookup: str
) -> ReviewItem | None:
    when, pk = here
    further = Q(**{f"queued_at__{lookup}": when})
    further |= Q(**{"queued_at": when, f"pk__{lookup}": pk})
    order = ("queued_at", "pk") if lookup == "gt" else ("-queued_at", "-pk")
    return rows.filter(further).order_by(*order).first()
