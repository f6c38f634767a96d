"""Template tags of the review: the link with its badge, names of flags and kinds."""

from typing import Any
from uuid import UUID

from django import template
from django.core.cache import cache
from django.urls import reverse

from accounts.actors import Actor
from memory.models import Memory, ReviewItem, ReviewKind
from wiki.review.access import reviewable_space_ids
from wiki.review.context import who_said
from wiki.review.queue import MOST_COUNTED, count_up_to, risk_names
from wiki.web.review_presenting import (
    KIND_LABELS,
    RISK_LABELS,
    VIA_LABELS,
    VIA_SHORT,
    badge_key,
)

register = template.Library()
register.filter(who_said)

BADGE_S = 15
"""Seconds that a count on every page may be old."""


@register.inclusion_tag("includes/_review_link.html", takes_context=True)
def review_link(context: dict[str, Any]) -> dict[str, Any]:
    """The link to the queue, for those who review, with how much waits."""
    request, url = context["request"], reverse("review:queue")
    found = _waiting(request.actor)
    if found is None:
        return {"shown": False}
    return {
        "shown": True,
        "url": url,
        "current": request.path == url,
        "within": request.path != url and request.path.startswith(url),
        "count": f"{MOST_COUNTED}+" if found > MOST_COUNTED else found,
    }


@register.filter
def flags(item: ReviewItem) -> list[tuple[str, str]]:
    """The flags of an item, each with what it means."""
    return [(RISK_LABELS[name], name) for name in risk_names(item.risks)]


@register.filter
def kind_label(kind: str) -> str:
    """What an item is, in words."""
    return KIND_LABELS[ReviewKind(kind)]


@register.filter
def via_label(via: str) -> str:
    """What has decided: "rule:ip" -> "the rule ip"."""
    name, _, rule = via.partition(":")
    return f"the rule {rule}" if rule else VIA_LABELS.get(name, name)


@register.filter
def via_short(via: str) -> str:
    """The same in a word or two: "rule:ip" -> "rule ip"."""
    return VIA_SHORT.get(via, via.replace(":", " "))


@register.filter
def slice_id(uid: UUID) -> str:
    """The beginning of an id, enough to tell records apart."""
    return str(uid)[:8]


@register.filter
def first_words(memory: Memory) -> str:
    """How a record begins."""
    text = " ".join(memory.content.split())
    return text if len(text) <= 80 else f"{text[:79]}…"


def _waiting(actor: Actor) -> int | None:
    """Return how much waits for the actor, None for who does not review."""
    key = badge_key(actor)
    found: tuple[int | None] | None = cache.get(key)
    if found is None:
        found = (count_up_to(actor) if reviewable_space_ids(actor) else None,)
        cache.set(key, found, BADGE_S)
    return found[0]
