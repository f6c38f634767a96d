"""What there is to distil: learned facts, by the page that they belong to."""

import hashlib
from collections.abc import Iterable

from memory.drafts import canonical
from memory.models import Memory, ReviewState
from memory.models.memories import MemoryQuerySet
from memory.scopes import UNVERIFIED, Kind, Scope
from wiki.models import PageDraft
from wiki.review.standing import DISTILLED

SECTION = "learned"
KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.DECISION, Kind.INSIGHT)


def slug_of(domain: str) -> str:
    """Return where the facts of a domain are; slugs have no dots."""
    return f"{SECTION}/{domain.replace('.', '-')}"


def learned() -> MemoryQuerySet:
    """Return what agents have learned about some domain and nothing speaks against."""
    known = Memory.objects.live().current().filter(scope=Scope.AGENT_NOTES)
    unverified = Memory.objects.tagged(UNVERIFIED).values("pk")
    return known.filter(kind__in=KINDS).exclude(domain="").exclude(pk__in=unverified)


def domains_with_facts() -> set[str]:
    """Return the domains of learned facts, and those whose page was made from some."""
    told = PageDraft.objects.filter(
        item__via=DISTILLED, item__state=ReviewState.APPROVED
    )
    known = set(learned().order_by().values_list("domain", flat=True).distinct())
    return known | set(told.order_by().values_list("item__domain", flat=True))


def domains_of(slug: str) -> list[str]:
    """Return the domains that share a page, usually one."""
    return sorted(d for d in domains_with_facts() if slug_of(d) == slug)


def facts_for(domains: Iterable[str]) -> list[Memory]:
    """Return the facts of a page, oldest first."""
    found = learned().filter(domain__in=domains).order_by("observed_at", "id")
    return list(found.only("uid", "content", "text_hash"))


def hash_of(facts: Iterable[Memory]) -> str:
    """Return what stays the same as long as the same records say the same."""
    parts = canonical(sorted([str(fact.uid), fact.text_hash] for fact in facts))
    return hashlib.sha256(parts.encode()).hexdigest()
