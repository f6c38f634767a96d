"""From a question to hits: candidates, features, ranking, and what is shown of them."""

import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import DatabaseError
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.config import SearchConfig, search_config
from goclaw.lib.errors import Unavailable
from goclaw.lib.metrics import search_seconds
from memory.analysis import QueryTerm, get_analyser
from memory.search import filters, recall
from memory.search.candidates import SEEDS, gather, seeds
from memory.search.engines import Engine, Statistics, get_engine
from memory.search.engines import Ranked as Words
from memory.search.engines.permitted import Permitted
from memory.search.features import describe
from memory.search.focus import SHORT, focus
from memory.search.hydrate import make_hits
from memory.search.meaning import Asked, Meaning
from memory.search.ranking import Ranked, Rules, rank
from memory.search.snippets import Marker
from memory.search.types import SearchAnswer, SearchQuery

logger = logging.getLogger(__name__)

TRIES = 3
"""How often a search is done whose finds vanish before they are read."""
RARE_TERMS = 8
"""How many rare words of a long prompt count beside those of its question."""
RARE = 5
"""In how many chunks a word may be to count as rare."""


class Stopwatch:
    """Times the parts of a search, in milliseconds, and tells the metrics."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._started = time.perf_counter()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        started = time.perf_counter()
        yield
        took = time.perf_counter() - started
        self.parts[name] = round(took * 1000, 2)
        search_seconds.labels(name).observe(took)

    def total(self) -> float:
        """Return the time since the start."""
        took = time.perf_counter() - self._started
        search_seconds.labels("total").observe(took)
        return round(took * 1000, 2)


def search(actor: Actor, query: SearchQuery) -> SearchAnswer:
    """Return the best hits among what the actor may read.

    A text without words finds nothing. With a provider that fails, the answer is by
    words only and says so. Raises `Unavailable` when the index cannot be read.
    """
    try:
        return _search(actor, query)
    except DatabaseError as error:
        logger.exception("A search has failed")
        raise Unavailable(
            "The search index cannot be read now.",
            remedy="Try again; if it stays so, an administrator finds the reason at"
            " /readyz and in the log, and `manage.py prepare` makes what is missing.",
        ) from error


def _search(actor: Actor, query: SearchQuery, *, tries: int = TRIES) -> SearchAnswer:
    watch = Stopwatch()
    config = search_config()
    engine = get_engine()
    with watch.part("terms"):
        terms = _terms(query.text, config, engine)
    ranked = _direct(actor, query)
    meaning, degraded = None, None
    # First: the rest is done while the model computes.
    asked = Asked(query.text) if terms and not ranked else None
    pending = filters.pending_records(actor)
    if asked:
        with watch.part("keyword"):
            permitted = Permitted(filters.searchable_chunks(actor, query))
            statistics = engine.statistics(_tokens(terms))
            words = engine.keyword_chunks(permitted, statistics, SEEDS)
        with watch.part("embedding"):
            meaning, degraded = asked.meaning()
        found = Found(permitted, terms, statistics, words, meaning)
        ranked = _ranked(found, query, config, engine, watch)
    with watch.part("hydrate"):
        marker = Marker(terms, get_analyser(config.language))
        hits = make_hits(ranked, marker=marker, now=timezone.now())
    if len(hits) < len(ranked) and tries > 1:
        # Texts were cut anew meanwhile, as when the whole index is made anew.
        return _search(actor, query, tries=tries - 1)
    if query.noted:
        recall.note(actor, query, hits)
    return SearchAnswer(
        hits=tuple(hits),
        mode="hybrid" if meaning else "keyword",
        took_ms=watch.total(),
        pending=pending,
        degraded=degraded,
        timings_ms=watch.parts,
    )


@dataclass(frozen=True, slots=True)
class Found:
    """What is known when ranking begins: where to look, for what, and first finds."""

    permitted: Permitted
    terms: list[QueryTerm]
    statistics: Statistics
    words: Words
    meaning: Meaning | None


def _terms(text: str, config: SearchConfig, engine: Engine) -> list[QueryTerm]:
    """Return the words to look for; of a long prompt its question's and rare ones."""
    analyser = get_analyser(config.language)
    terms = analyser.query_terms(focus(text))
    if len(text) <= SHORT:
        return terms
    known = {term.text for term in terms}
    others = [t for t in analyser.query_terms(text) if t.text not in known]
    frequencies = engine.statistics([term.text for term in others]).frequencies
    rare = [t for t in others if 0 < frequencies.get(t.text, 0) <= RARE]
    return terms + sorted(rare, key=lambda t: frequencies[t.text])[:RARE_TERMS]


def _ranked(
    found: Found,
    query: SearchQuery,
    config: SearchConfig,
    engine: Engine,
    watch: Stopwatch,
) -> list[Ranked]:
    meaning, similarities, near = found.meaning, None, []
    with watch.part("vector"):
        if meaning:
            similarities = engine.similarities(meaning.vector, meaning.model_id)
            near = similarities.nearest(found.permitted, SEEDS)
    with watch.part("gather"):
        passages = gather(
            found.permitted,
            seeds(found.words, near),
            engine=engine,
            meaning=meaning,
            similarities=similarities,
            half_lives=dict(config.half_lives),
            now=timezone.now(),
        )
    with watch.part("rank"):
        candidates = describe(passages, found.terms, found.statistics)
        return rank(
            candidates,
            _rules(query, config),
            config.max_results if query.max_results is None else query.max_results,
        )


def _tokens(terms: list[QueryTerm]) -> list[str]:
    return list(dict.fromkeys(token for term in terms for token in term.tokens))


def _rules(query: SearchQuery, config: SearchConfig) -> Rules:
    return Rules(
        fusion=config.fusion,
        rrf_constant=config.rrf_constant,
        vector_weight=config.vector_weight,
        keyword_weight=config.keyword_weight,
        min_score=config.min_score if query.min_score is None else query.min_score,
        min_similarity=config.min_similarity,
        max_per_record=config.max_per_record,
    )


def _direct(actor: Actor, query: SearchQuery) -> list[Ranked]:
    """Return the record whose id the question is."""
    try:
        uid = uuid.UUID(query.text.strip())
    except ValueError:
        return []
    chunks = filters.searchable_chunks(actor, query)
    found = chunks.filter(memory__uid=uid).order_by("ordinal").first()
    return [Ranked(found.pk, 1.0, 1.0, {"relevance": 1.0})] if found else []
