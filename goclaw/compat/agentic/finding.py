"""Search as Agentic Memory answers it: records, not chunks, within a budget."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accounts.actors import Actor
from goclaw.compat.agentic.storing import SCOPES, shown_to
from goclaw.compat.agentic.tiers import Tier, category_of, kind_of
from memory.models import Memory
from memory.search import SearchQuery, search
from memory.search.types import MAX_RESULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to find; empty tiers and categories mean any."""

    query: str
    max_results: int
    tiers: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    min_importance: int = 1
    include_archived: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A record with its relevance, 0 to 1, and its age."""

    memory: Memory
    score: float
    age_days: float


def find(actor: Actor, wanted: Wanted) -> list[Match]:
    """Return the best records, each once. Raises Unavailable."""
    answer = search(
        actor,
        SearchQuery(
            text=wanted.query,
            # A record can have several chunks, and a category is more than a kind.
            max_results=min(MAX_RESULTS, 3 * wanted.max_results),
            scopes=SCOPES,
            kinds=tuple(sorted({kind_of(name) for name in wanted.categories})),
            min_importance=wanted.min_importance,
            keyed=_keyed(wanted.tiers),
            include_history=wanted.include_archived,
        ),
    )
    hits = {hit.record: hit for hit in reversed(answer.hits)}
    records = Memory.objects.readable_by(actor).in_bulk(list(hits))
    best = sorted(hits.values(), key=lambda hit: -hit.score)
    matches = [
        Match(records[hit.record], hit.score, hit.age_days)
        for hit in best
        if hit.record in records
    ]
    fitting = (one for one in matches if _fits(one.memory, wanted.categories))
    return list(fitting)[: wanted.max_results]


def newest(actor: Actor, *, keyed: bool, limit: int) -> list[Memory]:
    """Return the newest facts, or the newest of all else."""
    found = shown_to(actor).current()
    found = found.exclude(key="") if keyed else found.filter(key="")
    return list(found.prefetch_related("tags")[:limit])


def _keyed(tiers: Iterable[str]) -> bool | None:
    """Return whether only facts are wanted, only others, or both (None)."""
    wants = {tier == Tier.FACT for tier in tiers}
    return wants.pop() if len(wants) == 1 else None


def _fits(memory: Memory, categories: Sequence[str] | frozenset[str]) -> bool:
    return not categories or category_of(memory) in categories
