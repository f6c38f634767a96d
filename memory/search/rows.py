"""What a search reads of chunks by their ids, a plain statement each.

Only ids that are permitted come here.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from goclaw.lib import sql
from memory.models.ids import ids_sql, packed
from memory.scopes import CRITICAL

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
    AND near.sequence_position BETWEEN record.sequence_position - %s
        AND record.sequence_position + %s
    AND near_chunk.memory_id = near.id
"""
# SQLite joins in the order written where it says CROSS; left to itself it begins with
# all records. PostgreSQL plans it as any other join.

_PLACES = """
SELECT chunk.id, chunk.memory_id, chunk.ordinal, chunk.text_hash, chunk.space_id,
    record.sequence_id, record.sequence_position, record.scope, record.kind, {age},
    EXISTS (SELECT 1 FROM memory_tags tag
        WHERE tag.memory_id = record.id AND tag.name = %s)
FROM memory_chunks chunk JOIN memories record ON record.id = chunk.memory_id
WHERE chunk.id IN ({ids}) ORDER BY chunk.id
"""

_SHOWN = """
SELECT chunk.id, chunk.memory_id, chunk.text, chunk.line_start, chunk.line_end,
    record.uid, record.scope, record.kind, record.domain, record.title,
    record.source_key, {age}, record.superseded_at IS NOT NULL, newer.uid
FROM memory_chunks chunk JOIN memories record ON record.id = chunk.memory_id
LEFT JOIN memories newer ON newer.id = record.superseded_by_id
WHERE chunk.id IN ({ids})
"""

_TAGS = """
SELECT memory_id, name FROM memory_tags WHERE memory_id IN ({ids}) ORDER BY name
"""

_WORDS = """
SELECT chunk_id, words FROM memory_embeddings
WHERE model_id = %s AND chunk_id IN ({ids}) ORDER BY chunk_id, ordinal
"""

_AGE_IN_DAYS = {
    "sqlite": "julianday(%s) - julianday(record.observed_at)",
    "postgresql": "extract(epoch FROM %s - record.observed_at)::float8 / 86400",
}


class Place(NamedTuple):
    """Where a chunk belongs, and what its age counts from."""

    id: int
    record: int
    ordinal: int
    text_hash: str
    space: int
    sequence: str
    position: int | None
    scope: str
    kind: str
    age_days: float
    critical: bool


class Shown(NamedTuple):
    """What is shown of a chunk and its record."""

    id: int
    record: int
    text: str
    line_start: int
    line_end: int
    uid: UUID
    scope: str
    kind: str
    domain: str
    title: str
    path: str
    age_days: float
    superseded: bool
    superseded_by: UUID | None


def beside(ids: Iterable[int], reach: int) -> set[int]:
    """Return the chunks of the records up to `reach` places away in a sequence.

    These are not permitted yet.
    """
    return {row for (row,) in _rows(_BESIDE, packed(ids), reach, reach)}


def places(ids: Iterable[int], now: datetime) -> list[Place]:
    """Return the chunks that are there, by rising id."""
    found = _rows(_PLACES, sql.moment(now), CRITICAL, packed(ids))
    return list(map(Place._make, found))


def shown(ids: Iterable[int], now: datetime) -> dict[int, Shown]:
    """Return the chunks that are there, by id."""
    return {
        row[0]: Shown._make(row)._replace(
            uid=sql.as_uuid(row[5]),
            superseded=bool(row[12]),
            superseded_by=row[13] and sql.as_uuid(row[13]),
        )
        for row in _rows(_SHOWN, sql.moment(now), packed(ids))
    }


def tags(records: Iterable[int]) -> dict[int, list[str]]:
    """Return the tags of the records that have any, in order."""
    found: dict[int, list[str]] = defaultdict(list)
    for record, name in _rows(_TAGS, packed(records)):
        found[record].append(name)
    return found


def word_signs(ids: Iterable[int], model_id: int) -> dict[int, bytes]:
    """Return the packed vectors of the words of each chunk (memory.likeness)."""
    found: dict[int, list[bytes]] = defaultdict(list)
    for chunk, signs in _rows(_WORDS, model_id, packed(ids)):
        found[chunk].append(bytes(signs))
    return {chunk: b"".join(parts) for chunk, parts in found.items()}


def _rows(template: str, *params: Any) -> list[tuple[Any, ...]]:
    age = _AGE_IN_DAYS[connection.vendor]
    return sql.prepared(template.format(ids=ids_sql(), age=age), *params)
