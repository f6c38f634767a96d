"""Gather what could answer a question: seeds by word and by meaning, and neighbours."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from memory.embeddings import Vector
from memory.likeness import likenesses
from memory.models import Embedding, MemoryTag
from memory.models.chunks import ChunkQuerySet
from memory.scopes import CRITICAL, Scope
from memory.search.engines import Engine, Ranked
from memory.search.features import REACH, Passage
from memory.search.ranking import decay_factor

SEEDS = 100
"""Candidates of each ranker; independent of how many results are asked for, so that
the first k results are the same for any number."""
EXTENDED = 60
"""How many of the seeds bring their neighbours along."""
LIKENED = 120
"""How many of the seeds are compared word by word, besides the neighbours."""
TIMELESS = frozenset({Scope.WIKI, Scope.WIKIJS, Scope.AGENT_CONFIG})


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question as a vector, its words as vectors, and the model they are of."""

    vector: Vector
    words: Vector
    model_id: int


class _Row(NamedTuple):
    pk: int
    memory_id: int
    ordinal: int
    text_hash: str
    space_id: int
    sequence_id: str
    position: int | None
    scope: str
    kind: str
    observed_at: datetime
    critical: bool


_COLUMNS = (
    "pk",
    "memory_id",
    "ordinal",
    "text_hash",
    "space_id",
    "memory__sequence_id",
    "memory__sequence_position",
    "memory__scope",
    "memory__kind",
    "memory__observed_at",
    "critical",
)


def seeds(words: Ranked, near: Ranked) -> list[int]:
    """Return the chunks of both rankers, those that do well in either first."""
    best: dict[int, float] = defaultdict(float)
    for ranked in (words, near):
        top = max((score for _, score in ranked), default=0.0)
        for pk, score in ranked:
            best[pk] += score / top if top > 0 else 0.0
    return sorted(best, key=lambda pk: (-best[pk], pk))


def gather(
    chunks: ChunkQuerySet,
    found: list[int],
    *,
    engine: Engine,
    meaning: Meaning | None,
    half_lives: Mapping[str, float],
    now: datetime,
) -> list[Passage]:
    """Return the found chunks and the neighbours of the best, ready to be described.

    Everything goes through the permitted queryset, the neighbours too.
    """
    critical = MemoryTag.objects.filter(memory=OuterRef("memory_id"), name=CRITICAL)
    marked = chunks.annotate(critical=Exists(critical))
    rows = _rows(marked, Q(pk__in=found))
    around = _neighbours([rows[pk] for pk in found[:EXTENDED] if pk in rows])
    if around:
        rows |= _rows(marked, around)
    ids = sorted(rows)
    words = engine.tokens_of(ids)
    cosines = (
        engine.cosines_of(ids, meaning.vector, meaning.model_id) if meaning else {}
    )
    lesser = set(found[LIKENED:])
    compared = [pk for pk in ids if pk not in lesser]
    alike = _likenesses(compared, meaning) if meaning else {}
    return [
        Passage(
            id=pk,
            record=rows[pk].memory_id,
            group=_group(rows[pk]),
            position=_position(rows[pk]),
            words=words.get(pk, ()),
            cosine=cosines.get(pk),
            likeness=alike.get(pk),
            text_hash=rows[pk].text_hash,
            decay=_decay(rows[pk], half_lives, now),
        )
        for pk in ids
    ]


def _likenesses(ids: list[int], meaning: Meaning) -> dict[int, float]:
    """Return how well the words of each chunk match those of the question."""
    words: dict[int, list[bytes]] = defaultdict(list)
    stored = Embedding.objects.filter(model_id=meaning.model_id, chunk_id__in=ids)
    for pk, packed in stored.values_list("chunk_id", "words"):
        words[pk].append(bytes(packed))
    passages = [b"".join(parts) for parts in words.values()]
    alike = zip(words, likenesses(meaning.words, passages), strict=True)
    return {pk: value for pk, value in alike if value is not None}


def _rows(chunks: ChunkQuerySet, wanted: Q) -> dict[int, _Row]:
    found = chunks.filter(wanted).values_list(*_COLUMNS)
    return {row[0]: _Row(*row) for row in found}


def _neighbours(rows: Iterable[_Row]) -> Q | None:
    """Return the filter of the records beside these in their sequences."""
    wanted: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row in rows:
        if row.sequence_id and row.position is not None:
            around = range(row.position - REACH, row.position + REACH + 1)
            wanted[row.space_id, row.sequence_id].update(around)
    found: Q | None = None
    for (space_id, sequence_id), positions in sorted(wanted.items()):
        one = _in_sequence(space_id, sequence_id, positions)
        found = one if found is None else found | one
    return found


def _in_sequence(space_id: int, sequence_id: str, positions: Collection[int]) -> Q:
    return Q(
        memory__space_id=space_id,
        memory__sequence_id=sequence_id,
        memory__sequence_position__in=sorted(positions),
    )


def _group(row: _Row) -> Hashable:
    return (row.space_id, row.sequence_id) if row.sequence_id else row.memory_id


def _position(row: _Row) -> int:
    return row.ordinal if row.position is None else row.position


def _decay(row: _Row, half_lives: Mapping[str, float], now: datetime) -> float:
    age_days = (now - row.observed_at).total_seconds() / 86_400
    lasting = row.critical or row.scope in TIMELESS
    return decay_factor(row.kind, age_days, half_lives, critical=lasting)
