"""Hits as a page shows them: snippets cut at their matches, scores as bars."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from goclaw.lib.diffs import Part
from memory.scopes import Scope
from memory.search.types import SearchHit
from memory.web.plain import plain

BAR = 100
"""Length of a full bar, in units of its drawing."""

PART_LABELS = {
    "relevance": "Relevance before age",
    "fused": "Rank among the candidates",
    "similarity": "Similar meaning",
    "keyword": "Words found, rare ones count more",
    "decay": "Freshness",
}


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One row of "why this result"; `bar` is 0..100, None where it says nothing."""

    label: str
    value: float
    bar: float | None


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit with what its card needs; `address` is where it leads."""

    hit: SearchHit
    address: str
    parts: list[ScorePart]
    snippet: list[Part]
    bar: float
    age: str


def shown(hits: Iterable[SearchHit]) -> list[ShownHit]:
    """Return the hits ready for their cards."""
    return [
        ShownHit(
            hit=hit,
            address=_address(hit),
            parts=[
                ScorePart(_label(name), value, _bar(value))
                for name, value in hit.parts.items()
                if value is not None
            ],
            snippet=words_of(hit.snippet, hit.matches),
            bar=_bar(hit.score) or 0.0,
            age=age(hit.age_days),
        )
        for hit in hits
    ]


def _address(hit: SearchHit) -> str:
    """Return the address of a page or file of the wiki, or of the record's lines."""
    path = hit.path or ""
    if path.startswith("/media/"):
        return path
    if path and hit.scope == Scope.WIKI:
        return reverse("wiki:page", args=[path])
    record = reverse("memory:record", args=[hit.id])
    return f"{record}?lines={hit.line_start}-{hit.line_end}#cited"


def age(days: float) -> str:
    """Return an age in the unit people would use: "today", "3 weeks old"."""
    for unit, length in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
        count = int(days // length)
        if count >= 1:
            return f"{count} {unit}{'s' if count > 1 else ''} old"
    return "today"


def words_of(text: str, matches: Iterable[tuple[int, int]]) -> list[Part]:
    """Return the plain words of a snippet, cut at its matches."""
    return highlighted(*plain(text, matches))


def highlighted(text: str, matches: Iterable[tuple[int, int]]) -> list[Part]:
    """Cut the text at its matches, which are (start, end) in any order."""
    parts: list[Part] = []
    here = 0
    for start, end in sorted(matches):
        start = max(start, here)
        if end <= start:
            continue
        if start > here:
            parts.append(Part(text[here:start]))
        parts.append(Part(text[start:end], changed=True))
        here = end
    if here < len(text):
        parts.append(Part(text[here:]))
    return parts


def _label(name: str) -> str:
    return PART_LABELS.get(name, name.replace("_", " ").capitalize())


def _bar(value: float) -> float | None:
    return round(value * BAR, 1) if 0 <= value <= 1 else None
