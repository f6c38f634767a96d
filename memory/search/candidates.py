"""Gather what could answer a question: seeds by word and by meaning, and neighbours."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime

from memory.likeness import likenesses
from memory.scopes import Scope
from memory.search import rows
from memory.search.engines import Engine, Ranked
from memory.search.engines.base import Similarities
from memory.search.engines.permitted import Permitted
from memory.search.features import Passage
from memory.search.meaning import Meaning
from memory.search.ranking import decay_factor
from memory.search.rows import Place
from memory.search.windows import REACH

SEEDS = 60
"""Candidates of each ranker; independent of how many results are asked for, so that
the first k results are the same for any number."""
EXTENDED = 40
"""How many of the seeds bring their neighbours along."""
LIKENED = 60
"""How many of the seeds are compared word by word, besides the neighbours."""
TIMELESS = frozenset({Scope.WIKI, Scope.WIKIJS, Scope.AGENT_CONFIG})


def seeds(words: Ranked, near: Ranked) -> list[int]:
    """Return the chunks of both rankers, those that do well in either first."""
    best: dict[int, float] = defaultdict(float)
    for ranked in (words, near):
        top = max((score for _, score in ranked), default=0.0)
        for row, score in ranked:
            best[row] += score / top if top > 0 else 0.0
    return sorted(best, key=lambda row: (-best[row], row))


def gather(
    permitted: Permitted,
    found: Sequence[int],
    *,
    engine: Engine,
    meaning: Meaning | None,
    similarities: Similarities | None,
    half_lives: Mapping[str, float],
    now: datetime,
) -> list[Passage]:
    """Return the chunks and the neighbours of the best, ready to be described.

    The chunks are permitted already; of the neighbours only those that are come along.
    """
    near = rows.beside(found[:EXTENDED], REACH).difference(found)
    places = rows.places({*found, *permitted.among(near)}, now)
    ids = [place.id for place in places]
    words = engine.words_of(ids)
    cosines = similarities.of(ids) if similarities else {}
    lesser = set(found[LIKENED:])
    alike = _likenesses([row for row in ids if row not in lesser], meaning)
    return [
        Passage(
            id=place.id,
            record=place.record,
            group=_group(place),
            position=place.ordinal if place.position is None else place.position,
            words=words.get(place.id, ""),
            cosine=cosines.get(place.id),
            likeness=alike.get(place.id),
            text_hash=place.text_hash,
            decay=decay_factor(
                place.kind,
                place.age_days,
                half_lives,
                critical=place.critical or place.scope in TIMELESS,
            ),
        )
        for place in places
    ]


def _likenesses(ids: list[int], meaning: Meaning | None) -> dict[int, float]:
    """Return how well the words of each chunk match those of the question."""
    if meaning is None or not len(meaning.words):
        return {}
    signs = rows.word_signs(ids, meaning.model_id)
    alike = zip(signs, likenesses(meaning.words, list(signs.values())), strict=True)
    return {row: value for row, value in alike if value is not None}


def _group(place: Place) -> Hashable:
    return (place.space, place.sequence) if place.sequence else place.record
