"""Gather what could answer a question: seeds by word and by meaning, and neighbours."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F, FloatField, Func, Value

from memory.likeness import likenesses
from memory.models import Embedding, MemoryTag
from memory.models.chunks import ChunkQuerySet
from memory.models.ids import among
from memory.scopes import CRITICAL, Scope
from memory.search.engines import Engine, Ranked
from memory.search.features import REACH, Passage
from memory.search.meaning import Meaning
from memory.search.ranking import decay_factor

SEEDS = 100
"""Candidates of each ranker; independent of how many results are asked for, so that
the first k results are the same for any number."""
EXTENDED = 60
"""How many of the seeds bring their neighbours along."""
LIKENED = 120
"""How many of the seeds are compared word by word, besides the neighbours."""
TIMELESS = frozenset({Scope.WIKI, Scope.WIKIJS, Scope.AGENT_CONFIG})

_BESIDE = """
SELECT DISTINCT near_chunk.id
FROM memory_chunks seed
CROSS JOIN memories record
CROSS JOIN memories near
CROSS JOIN memory_chunks near_chunk
WHERE seed.id IN ({ids})
    AND record.id = seed.memory_id
    AND record.sequence_id > ''
    AND near.space_id = record.space_id
    AND near.sequence_id = record.sequence_id
    AND near.sequence_id > ''
    AND near.sequence_position BETWEEN record.sequence_position - {reach}
        AND record.sequence_position + {reach}
    AND near_chunk.memory_id = near.id
"""
# SQLite joins in the order written where it says CROSS; left to itself it begins with
# all records. PostgreSQL plans it as any other join.


class _AgeDays(Func):
    """How old a time is, in days: cheaper from the database than as a datetime."""

    output_field = FloatField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Return the difference of two Julian days."""
        template = "(julianday(%(expressions)s))"
        return self.as_sql(
            compiler,
            connection,
            template=template,
            arg_joiner=") - julianday(",
            **extra,
        )

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Return the seconds between, in days."""
        template = "(extract(epoch FROM %(expressions)s)::float8 / 86400)"
        return self.as_sql(
            compiler, connection, template=template, arg_joiner=" - ", **extra
        )


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
    age_days: float


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
    "age_days",
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

    Everything comes through the permitted queryset, the neighbours too.
    """
    rows = _rows(chunks, {*found, *_beside(found[:EXTENDED])}, now)
    ids = [row.pk for row in rows]
    words = engine.words_of(ids)
    critical = _critical(rows)
    cosines, alike = {}, {}
    if meaning:
        cosines = engine.cosines_of(ids, meaning.vector, meaning.model_id)
        lesser = set(found[LIKENED:])
        alike = _likenesses([pk for pk in ids if pk not in lesser], meaning)
    return [
        Passage(
            id=row.pk,
            record=row.memory_id,
            group=_group(row),
            position=row.ordinal if row.position is None else row.position,
            words=words.get(row.pk, ""),
            cosine=cosines.get(row.pk),
            likeness=alike.get(row.pk),
            text_hash=row.text_hash,
            decay=_decay(row, half_lives, critical=row.memory_id in critical),
        )
        for row in rows
    ]


def _beside(found: Sequence[int]) -> list[int]:
    """Return the chunks of the records beside these in their sequences."""
    ids = among(found)
    with connection.cursor() as cursor:
        cursor.execute(_BESIDE.format(reach=REACH, ids=ids.sql), ids.params)
        return [pk for (pk,) in cursor.fetchall()]


def _rows(chunks: ChunkQuerySet, ids: set[int], now: datetime) -> list[_Row]:
    age_days = _AgeDays(Value(now), F("memory__observed_at"))
    found = chunks.filter(pk__in=among(ids)).annotate(age_days=age_days)
    return sorted(map(_Row._make, found.values_list(*_COLUMNS)))


def _critical(rows: Sequence[_Row]) -> set[int]:
    """Return which of the records are marked as critical."""
    marked = MemoryTag.objects.filter(
        name=CRITICAL, memory_id__in=among({row.memory_id for row in rows})
    )
    return set(marked.values_list("memory_id", flat=True))


def _likenesses(ids: list[int], meaning: Meaning) -> dict[int, float]:
    """Return how well the words of each chunk match those of the question."""
    if not len(meaning.words):
        return {}
    words: dict[int, list[bytes]] = defaultdict(list)
    stored = Embedding.objects.filter(
        model_id=meaning.model_id, chunk_id__in=among(ids)
    )
    for pk, packed in stored.values_list("chunk_id", "words"):
        words[pk].append(bytes(packed))
    passages = [b"".join(parts) for parts in words.values()]
    alike = zip(words, likenesses(meaning.words, passages), strict=True)
    return {pk: value for pk, value in alike if value is not None}


def _group(row: _Row) -> Hashable:
    return (row.space_id, row.sequence_id) if row.sequence_id else row.memory_id


def _decay(row: _Row, half_lives: Mapping[str, float], *, critical: bool) -> float:
    lasting = critical or row.scope in TIMELESS
    return decay_factor(row.kind, row.age_days, half_lives, critical=lasting)
