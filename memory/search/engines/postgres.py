"""Search on PostgreSQL: a stored tsvector for words, pgvector for vectors."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection

from memory.embeddings import Vector
from memory.fields import vector_text
from memory.search.engines.base import Entries, Ranked, Rows, Statistics
from memory.search.engines.permitted import (
    HEADROOM,
    as_subquery,
    first_permitted,
)
from memory.search.engines.postgres_vectors import VectorIndexes
from memory.search.engines.postgres_words import PostgresWords

WINDOWS_A_CHUNK = 2
"""How many windows of a chunk are about alike near to a question."""
NARROW = 20_000
"""Up to so many chunks an exact scan is quick, and sure to miss none."""
NARROW_SHARE = 0.05
"""Below it an index scan would walk past too many rows that are not permitted."""

_EXACT = """
SELECT chunk_id, max(1 - (vector <=> %s::vector)) AS cosine FROM memory_embeddings
WHERE model_id = %s AND chunk_id {condition}
GROUP BY chunk_id ORDER BY cosine DESC, chunk_id DESC LIMIT %s
"""


class PostgresEngine:
    """Exact for narrow querysets and small tables, HNSW for wide ones."""

    def __init__(self) -> None:
        self._chunks = PostgresWords("memory_chunks", "memory_chunk")
        self._indexes = VectorIndexes()

    # --- structures ---

    def prepare(self) -> None:
        """Create what is missing of tables and triggers; vector indexes come later."""
        self._chunks.prepare()

    def check(self) -> list[str]:
        """Return what is wrong with tables, triggers and vector indexes."""
        return [
            *self._chunks.check(),
            *self._indexes.check(),
        ]

    def maintain(self) -> None:
        """Build the vector index of models that have grown large; takes minutes."""
        self._indexes.maintain()

    def prefetch(self, model_id: int) -> None:
        """Do nothing: the server keeps what it needs."""

    # --- writing ---

    def index_chunks(self, entries: Entries) -> None:
        """Replace the keyword entries of chunks."""
        self._chunks.put(entries)

    # --- words ---

    def keyword_chunks(
        self, queryset: Rows, tokens: Sequence[str], limit: int
    ) -> Ranked:
        """Return the chunks of the queryset that contain any token, best first."""
        return self._chunks.search(queryset, tokens, limit)

    def statistics(self, tokens: Sequence[str]) -> Statistics:
        """Return the statistics of the chunks."""
        return self._chunks.statistics(tokens)

    def words_of(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return the tokens of chunks as `fts_text` writes them, in order."""
        return self._chunks.words_of(chunk_ids)

    # --- vectors ---

    def nearest(
        self, queryset: Rows, vector: Vector, model_id: int, limit: int
    ) -> Ranked:
        """Return the chunks of the queryset by the cosine of their best window."""
        try:
            rows, params = as_subquery(queryset)
        except EmptyResultSet:
            return []
        if self._indexes.serves(model_id) and self._is_wide(rows, params):
            near = self._indexes.nearest(
                vector, model_id, HEADROOM * WINDOWS_A_CHUNK * limit
            )
            cosines = dict(near)
            found = first_permitted(queryset, list(cosines), limit)
            if found is not None and len(found) >= limit:
                return [(chunk, cosines[chunk]) for chunk in found]
        return _exact(f"IN ({rows})", params, vector, model_id, limit)

    def cosines_of(
        self, chunk_ids: Sequence[int], vector: Vector, model_id: int
    ) -> dict[int, float]:
        """Return the cosine of the best window of each chunk."""
        ids = list(chunk_ids)
        return dict(_exact("= ANY(%s)", (ids,), vector, model_id, len(ids)))

    def vectors_of(self, chunk_ids: Sequence[int], model_id: int) -> dict[int, Vector]:
        """Return the windows of each chunk, shape (windows, d)."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT chunk_id, vector::text FROM memory_embeddings"
                " WHERE model_id = %s AND chunk_id = ANY(%s)"
                " ORDER BY chunk_id, ordinal",
                [model_id, list(chunk_ids)],
            )
            found: dict[int, list[list[float]]] = {}
            for chunk, text in cursor.fetchall():
                found.setdefault(chunk, []).append(json.loads(text))
        return {
            chunk: np.array(rows, dtype=np.float32) for chunk, rows in found.items()
        }

    def _is_wide(self, rows: str, params: tuple[Any, ...]) -> bool:
        """Say whether the planner expects the queryset to hold much of the table."""
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {rows}", params)
            (plan,) = cursor.fetchone()
            cursor.execute(
                "SELECT reltuples FROM pg_class WHERE relname = 'memory_chunks'"
            )
            (total,) = cursor.fetchone()
        plan = json.loads(plan) if isinstance(plan, str) else plan
        expected = plan[0]["Plan"]["Plan Rows"]
        return bool(expected > max(NARROW, NARROW_SHARE * total))


def _exact(
    condition: str, params: tuple[Any, ...], vector: Vector, model_id: int, limit: int
) -> Ranked:
    with connection.cursor() as cursor:
        cursor.execute(
            _EXACT.format(condition=condition),
            [vector_text(vector), model_id, *params, limit],
        )
        return [(chunk, float(cosine)) for chunk, cosine in cursor.fetchall()]
