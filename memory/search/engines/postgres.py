"""Search on PostgreSQL: a stored tsvector for words, pgvector for vectors."""

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

from memory.embeddings import Vector
from memory.fields import vector_text
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.permitted import HEADROOM, Permitted, first_permitted
from memory.search.engines.postgres_vectors import VectorIndexes
from memory.search.engines.postgres_words import PostgresWords

WINDOWS_A_CHUNK = 2
"""How many windows of a chunk are about alike near to a question."""
NARROW = 2_000
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
        self._indexes.prepare()

    def check(self) -> list[str]:
        """Return what is wrong with tables, triggers and vector indexes."""
        return [
            *self._chunks.check(),
            *self._indexes.check(),
        ]

    def wants_upkeep(self) -> bool:
        """Say whether a vector index is missing that would make searches quicker."""
        return bool(self._indexes.check())

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
        self, permitted: Permitted, statistics: Statistics, limit: int
    ) -> Ranked:
        """Return the permitted chunks that contain any of the tokens, best first."""
        return self._chunks.search(permitted, statistics, limit)

    def statistics(self, tokens: Sequence[str]) -> Statistics:
        """Return the statistics of the chunks."""
        return self._chunks.statistics(tokens)

    def words_of(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return the tokens of chunks as `fts_text` writes them, in order."""
        return self._chunks.words_of(chunk_ids)

    # --- vectors ---

    def similarities(self, vector: Vector, model_id: int) -> "PostgresSimilarities":
        """Return how near the windows of a model are to a question's vector."""
        return PostgresSimilarities(self._indexes, vector, model_id)


class PostgresSimilarities:
    """Asks the database, for few chunks or many."""

    def __init__(self, indexes: VectorIndexes, vector: Vector, model_id: int) -> None:
        self._indexes = indexes
        self._vector = vector
        self._model_id = model_id

    def nearest(self, permitted: Permitted, limit: int) -> Ranked:
        """Return the nearest permitted chunks."""
        if permitted.subquery is None:
            return []
        rows, params = permitted.subquery
        if self._indexes.serves(self._model_id) and _is_wide(rows, params):
            near = self._indexes.nearest(
                self._vector, self._model_id, HEADROOM * WINDOWS_A_CHUNK * limit
            )
            cosines = dict(near)
            found = first_permitted(permitted, list(cosines), limit)
            if found is not None and len(found) >= limit:
                return [(chunk, cosines[chunk]) for chunk in found]
        return self._exact(f"IN ({rows})", params, limit)

    def of(self, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosine of each chunk that has vectors."""
        ids = list(chunk_ids)
        return dict(self._exact("= ANY(%s)", (ids,), len(ids)))

    def _exact(self, condition: str, params: tuple[Any, ...], limit: int) -> Ranked:
        with connection.cursor() as cursor:
            cursor.execute(
                _EXACT.format(condition=condition),
                [vector_text(self._vector), self._model_id, *params, limit],
            )
            return [(chunk, float(cosine)) for chunk, cosine in cursor.fetchall()]


def _is_wide(rows: str, params: tuple[Any, ...]) -> bool:
    """Say whether the planner expects the subquery to hold much of the table."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {rows}", params)
        (plan,) = cursor.fetchone()
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'memory_chunks'")
        (total,) = cursor.fetchone()
    plan = json.loads(plan) if isinstance(plan, str) else plan
    expected = plan[0]["Plan"]["Plan Rows"]
    return bool(expected > max(NARROW, NARROW_SHARE * total))
