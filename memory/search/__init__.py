"""Search: `search(actor, query)` is the one door."""

from memory.search.pipeline import search
from memory.search.readiness import model_state, prefetch
from memory.search.types import Degraded, SearchAnswer, SearchHit, SearchQuery

__all__ = [
    "Degraded",
    "SearchAnswer",
    "SearchHit",
    "SearchQuery",
    "model_state",
    "prefetch",
    "search",
]
