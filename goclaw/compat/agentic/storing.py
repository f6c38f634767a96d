"""Store what a client of Agentic Memory hands over, as a record with an owner."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.compat.agentic.tiers import (
    CACHED_FOR,
    DUPLICATE_WITHIN,
    GENERAL,
    Tier,
    kind_of,
    tier_for,
    tier_of,
)
from goclaw.lib.errors import BadInput
from memory import records
from memory.drafts import Draft
from memory.locks import lock
from memory.models import Memory
from memory.models.memories import MemoryQuerySet
from memory.scopes import Kind, Scope
from memory.spaces import may_write, writable_scopes

SCOPES = (Scope.PERSONAL, Scope.AGENT_NOTES, Scope.GLOBAL)
"""What these addresses show; the rules for agents belong into the prompt only."""
TOOL = "agentic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something to store; `None` and empty are "not given"."""

    content: str = ""
    tier: str | None = None
    category: str = GENERAL
    importance: int = 5
    tags: tuple[str, ...] = ()
    source: str = ""
    source_ref: str = ""
    domain: str = ""
    key: str = ""
    value: Any = None
    confidence: float | None = None
    expires_at: datetime | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """The record, its tier, and whether it was there already within five minutes."""

    memory: Memory
    tier: Tier
    is_duplicate: bool


def store(*, actor: Actor, item: Item) -> Stored:
    """Store an item in its tier, unless the same was stored within 300 seconds.

    The same means the same text, tier, domain, key and value in the same place; it is
    noted with the write, so that one that failed can be sent again. Raises BadInput,
    TooLarge and Forbidden.
    """
    tier = _tier(item)
    may_write(actor).require()
    judged = records.judge(actor=actor, draft=_draft(actor, item, tier))
    forced = replace(judged, draft=replace(judged.draft, force=True))
    with transaction.atomic():
        lock(judged.turn)
        if first := _duplicate(judged.identity, judged.draft, tier):
            return Stored(first, tier, is_duplicate=True)
        source = records.Source(tool=TOOL)
        written = records.store(actor=actor, judged=forced, source=source)
    return Stored(written.memory, tier, is_duplicate=False)


def shown_to(actor: Actor) -> MemoryQuerySet:
    """Return the live records that these addresses show, for a list by time."""
    found = Memory.objects.recent_for(actor).live().filter(scope__in=SCOPES)
    return found.filter(source_key="").order_by("-created_at", "-id")


def _tier(item: Item) -> Tier:
    if item.tier == Tier.FILE:
        raise BadInput(
            "Files are not stored here.",
            field="tier",
            remedy="Send them to POST /api/files; the search finds them.",
        )
    if item.tier == Tier.FACT and not (item.domain and item.key):
        raise BadInput("A fact has a domain and a key.", field="key")
    if item.tier is not None:
        return Tier(item.tier)
    return tier_for(
        item.content,
        domain=item.domain,
        key=item.key,
        category=item.category,
        importance=item.importance,
    )


def _draft(actor: Actor, item: Item, tier: Tier) -> Draft:
    is_fact = tier is Tier.FACT
    expires_at = item.expires_at
    if tier is Tier.CACHE and expires_at is None:
        expires_at = timezone.now() + CACHED_FOR
    more = {
        "tier": tier.value if tier is Tier.CACHE else "",
        "category": item.category if item.category != GENERAL else "",
        "source": item.source,
        "source_ref": item.source_ref,
        "confidence": item.confidence,
    }
    is_general = item.category == GENERAL
    return Draft(
        scope=item.scope or writable_scopes(actor)[0],
        content=item.content,
        kind=Kind.FACT if is_fact and is_general else kind_of(item.category),
        domain=_slug(item.domain),
        key=item.key if is_fact else "",
        value=_value(item) if is_fact else None,
        title=f"{_slug(item.domain)}: {item.key}" if is_fact else "",
        importance=item.importance,
        tags=tuple(dict.fromkeys(map(_slug, item.tags))),
        metadata={
            name: value for name, value in more.items() if value not in {"", None}
        },
        expires_at=expires_at,
    )


def _value(item: Item) -> Any:
    return item.content if item.value is None else item.value


def _slug(text: str) -> str:
    """Return a label as it is written here: in lower case and without spaces."""
    return "-".join(text.lower().split())


def _duplicate(identity: str, draft: Draft, tier: Tier) -> Memory | None:
    """Return the same thing of the last minutes, if it will be there as long."""
    since = timezone.now() - DUPLICATE_WITHIN
    found = Memory.objects.live().current().filter(dedup_hash=identity)
    first = found.filter(created_at__gt=since).order_by("-id").first()
    if first is None or tier_of(first) is not tier:
        return None
    same_terms = tier is Tier.CACHE or first.expires_at == draft.expires_at
    return first if same_terms and first.metadata == draft.metadata else None
