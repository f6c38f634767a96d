"""Search on PostgreSQL: a stored tsvector for words, pgvector for vectors."""

from collections.abc import Sequence
from typing import Any

from goclaw.lib import sql
from memory.embeddings import Vector
from memory.fields import vector_text
from memory.models.ids import ids_sql, packed
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.permitted import Permitted
from memory.search.engines.postgres_vectors import VectorIndexes
from memory.search.engines.postgres_words import PostgresWords

WINDOWS = 4
"""How many windows are asked of the index first for each chunk that is wanted."""
MARGIN = 1.5
"""How many more are asked than should do, when too few of the first are permitted."""
WALKED = 5
"""How many times longer the index takes for a window than a scan does for a vector."""

_EXACT = """
SELECT chunk_id, max(1 - (vector <=> %s::vector)) AS cosine FROM memory_embeddings
WHERE model_id = %s AND chunk_id IN ({ids})
GROUP BY chunk_id ORDER BY cosine DESC, chunk_id DESC LIMIT %s
"""


class PostgresEngine:
    """HNSW where it is quicker, exact for small tables and narrow querysets."""

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
        self._asked = (vector_text(vector), model_id)
        self._dimension = len(vector)

    def nearest(self, permitted: Permitted, limit: int) -> Ranked:
        """Return the nearest permitted chunks.

        The index knows no permissions: of what it finds the permitted are kept, and
        their share says whether to ask it for more or to read what is permitted.
        """
        if permitted.subquery is None:
            return []
        vectors = self._indexes.size(self._asked[1])
        share, windows = 1.0, WINDOWS * limit
        while WALKED * windows < share * vectors:
            near = self._indexes.nearest(*self._asked, self._dimension, windows)
            inside = permitted.among(chunk for chunk, _ in near)
            if len(inside) >= limit:
                return [found for found in near if found[0] in inside][:limit]
            share = len(inside) / max(len(near), 1)
            windows = int(MARGIN * windows * limit / max(len(inside), 1))
        rows, params = permitted.subquery
        return _cosines(sql.rows(_EXACT.format(ids=rows), *self._asked, *params, limit))

    def of(self, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosine of each chunk that has vectors."""
        ids, exact = list(chunk_ids), _EXACT.format(ids=ids_sql())
        return dict(_cosines(sql.prepared(exact, *self._asked, packed(ids), len(ids))))


def _cosines(rows: list[tuple[Any, ...]]) -> Ranked:
    return [(chunk, float(cosine)) for chunk, cosine in rows]
