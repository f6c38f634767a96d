"""The tiers and categories of Agentic Memory, and what they are here. Pure."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Any, Protocol

from memory.scopes import Kind

CACHED_FOR = timedelta(hours=4)
DUPLICATE_WITHIN = timedelta(seconds=300)
CHARS_PER_TOKEN = 3
SHORTENED_TOKENS = 200
"""What is shown of a text that no longer fits a budget."""
GENERAL = "general"

_KINDS = {
    "conversation_highlight": Kind.HIGHLIGHT,
    GENERAL: Kind.NOTE,
    "project": Kind.PROJECT,
    "insight": Kind.INSIGHT,
    "decision": Kind.DECISION,
    "skill": Kind.SKILL,
}
_CATEGORIES = {kind: category for category, kind in _KINDS.items()}
_ALWAYS_KEPT = frozenset({"skill", "decision", "insight"})


class Tier(StrEnum):
    """How something is kept: by meaning, by key, for hours, or as a file."""

    CACHE = "cache"
    VECTOR = "vector"
    FACT = "fact"
    FILE = "file"


class Kept(Protocol):
    """What is asked of a record."""

    key: str
    kind: str
    metadata: dict[str, Any]


def tier_for(
    content: str, *, domain: str, key: str, category: str, importance: int
) -> Tier:
    """Return the tier of something that is stored without naming one."""
    if domain and key:
        return Tier.FACT
    if importance >= 7 or category in _ALWAYS_KEPT:
        return Tier.VECTOR
    if len(content) < 200 and importance <= 3:
        return Tier.CACHE
    return Tier.VECTOR


def tier_of(record: Kept) -> Tier:
    """Return the tier that a record is kept in."""
    if record.key:
        return Tier.FACT
    is_cached = record.metadata.get("tier") == Tier.CACHE
    return Tier.CACHE if is_cached else Tier.VECTOR


def kind_of(category: str) -> Kind:
    """Return the kind, and with it the half-life; of an unknown one that of notes."""
    return _KINDS.get(category, Kind.NOTE)


def category_of(record: Kept) -> str:
    """Return the category that was given, or that of the kind."""
    given = record.metadata.get("category")
    if isinstance(given, str) and given:
        return given
    return _CATEGORIES.get(Kind(record.kind), record.kind)


def tokens(text: str) -> int:
    """Return about how many tokens a text has, as budgets count them."""
    return -(-len(text) // CHARS_PER_TOKEN)


def fitted(texts: Sequence[str], budget: int) -> list[str]:
    """Return as many texts as fit a budget of tokens; the last may be shortened."""
    kept: list[str] = []
    for text in texts:
        cost = tokens(text)
        if cost > budget:
            text = text[: SHORTENED_TOKENS * CHARS_PER_TOKEN]
            cost = tokens(text)
        if cost > budget:
            break
        kept.append(text)
        budget -= cost
    return kept
