"""Search what was said in the sessions that an actor reads, by words and by meaning."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from accounts.actors import Actor
from goclaw.lib.config import search_config
from memory.analysis import QueryTerm, get_analyser
from memory.models import Message, MessageVector, MessageWord, Session
from memory.search.meaning import Asked, Meaning
from memory.search.snippets import Marker, Snippet
from memory.search.types import Degraded
from memory.sessions.indexing import word_id

MIN_SIMILARITY = 0.4
"""The cosine that is evidence by itself, where the settings name none."""
MIN_COVERAGE = 0.34
"""The share of the question that is: rare words are more of it than common ones."""
SATURATION = 1.2
"""How little a word counts that is there once more; k1 of BM25."""

BLOCK = 2000
"""Vectors compared at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageHit:
    """A message that answers the question; parts and score are in 0..1."""

    message: Message
    snippet: Snippet
    score: float
    keyword: float
    similarity: float | None


@dataclass(frozen=True, slots=True)
class MessagesFound:
    """The hits, best first; `degraded` says why meaning had no part in it."""

    hits: Sequence[MessageHit]
    degraded: Degraded | None


def search_messages(
    *, actor: Actor, text: str, max_results: int, agent: str | None = None
) -> MessagesFound:
    """Return the messages, not yet trimmed, that say what is asked for."""
    if not text.strip():
        return MessagesFound((), None)
    asked = Asked(text)
    sessions = Session.objects.readable_by(actor)
    if agent is not None:
        sessions = sessions.filter(agent__slug=agent)
    ids = list(sessions.values_list("pk", flat=True))
    analyser = get_analyser(search_config().language)
    terms = analyser.query_terms(text)
    by_words = _by_words(ids, terms)
    meaning, degraded = asked.meaning()
    by_meaning = _by_meaning(ids, meaning) if meaning else {}
    scores = _fused(by_words, by_meaning)
    best = sorted(scores, key=lambda pk: (-scores[pk], -pk))[:max_results]
    messages = (
        Message.objects.filter(pk__in=best)
        .select_related("session__agent", "speaker")
        .in_bulk()
    )
    marker = Marker(terms, analyser)
    hits = [
        MessageHit(
            message=messages[pk],
            snippet=marker.snippet(messages[pk].content),
            score=scores[pk],
            keyword=by_words.get(pk, 0.0),
            similarity=by_meaning.get(pk),
        )
        for pk in best
        if pk in messages
    ]
    return MessagesFound(hits, degraded)


def _by_words(sessions: Sequence[int], terms: Sequence[QueryTerm]) -> dict[int, float]:
    """Return how much of the question each message with a word of it has, 0 to 1."""
    counts: dict[int, dict[int, int]] = defaultdict(dict)
    tokens = {word_id(token) for term in terms for token in term.tokens}
    for message, word, count in MessageWord.objects.filter(
        session_id__in=sessions, word__in=tokens
    ).values_list("message_id", "word", "count"):
        counts[word][message] = count
    total = Message.objects.filter(session_id__in=sessions).count()
    shares: dict[int, float] = defaultdict(float)
    whole = 0.0
    for term in terms:
        found = _of_term(term, counts)
        weight = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
        whole += weight
        for message, strength in found.items():
            shares[message] += weight * strength
    return {message: share / whole for message, share in shares.items()}


def _of_term(
    term: QueryTerm, counts: Mapping[int, Mapping[int, int]]
) -> dict[int, float]:
    """Return how clearly each message has the term, by its best form, 0 to 1."""
    found: dict[int, float] = {}
    for form, weight in term.forms:
        for message, count in counts.get(word_id(form), {}).items():
            clear = weight * count / (count + SATURATION) * (1 + SATURATION)
            found[message] = max(found.get(message, 0.0), min(clear, 1.0))
    parts = [set(counts.get(word_id(part), ())) for part in term.parts]
    for message in set.intersection(*parts) if parts else ():
        found[message] = max(found.get(message, 0.0), 0.5)
    return found


def _by_meaning(sessions: Sequence[int], meaning: Meaning) -> dict[int, float]:
    """Return the cosine of each message's nearest window."""
    rows = MessageVector.objects.filter(
        session_id__in=sessions, model_id=meaning.model_id
    ).values_list("message_id", "vector")
    found: dict[int, float] = {}
    pairs = rows.iterator(BLOCK)
    while block := list(islice(pairs, BLOCK)):
        cosines = np.stack([vector for _, vector in block]) @ meaning.vector
        for (message, _), cosine in zip(block, cosines.tolist(), strict=True):
            found[message] = max(found.get(message, -1.0), cosine)
    return found


def _fused(
    by_words: Mapping[int, float], by_meaning: Mapping[int, float]
) -> dict[int, float]:
    """Return the score of each message for which there is evidence, 0 to 1.

    Both arms count by the weights of the settings, relative to their best.
    """
    config = search_config()
    least = config.min_similarity
    least = MIN_SIMILARITY if least is None else least
    best_words = max(by_words.values(), default=0.0) or 1.0
    near = max([*by_meaning.values(), least])
    scores: dict[int, float] = {}
    for message in by_words.keys() | by_meaning.keys():
        words, cosine = by_words.get(message, 0.0), by_meaning.get(message, 0.0)
        if words < MIN_COVERAGE and cosine < least:
            continue
        shares = (words / best_words, max(cosine, 0.0) / near)
        weights = (config.keyword_weight, config.vector_weight if by_meaning else 0.0)
        mixed = float(np.dot(shares, weights)) / (sum(weights) or 1.0)
        scores[message] = round(mixed * max(words, cosine), 6)
    return scores
