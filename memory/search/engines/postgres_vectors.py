"""pgvector's HNSW indexes: one for each model that has enough vectors to gain by it."""

import time

from django.db import connection

from goclaw.lib import sql
from memory.search.engines.base import Ranked

WORTH_AN_INDEX = 2_000
"""Vectors up to which reading all of them is about as quick, and exact."""
MAX_DIMENSION = 4000
"""What pgvector can index as half-precision numbers."""
KNOWN_FOR_S = 10.0
BUILD_MEMORY_KB = 256 * 1024
"""At least so much while an index is built: with less than the graph it takes hours."""

_PREFIX = "memory_embeddings_hnsw_"
_CREATE = """
CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON memory_embeddings
USING hnsw ((vector::halfvec({dimension})) halfvec_cosine_ops)
WITH (m = 16, ef_construction = 128) WHERE model_id = {model_id}
"""
_STORAGE = """
SELECT attname, attstorage FROM pg_attribute
WHERE attrelid = to_regclass('memory_embeddings') AND attname IN ('vector', 'words')
"""
# The index orders by half precision; the best are compared again by the full vectors.
_NEAREST = """
WITH near AS MATERIALIZED (
    SELECT chunk_id, vector FROM memory_embeddings WHERE model_id = {model_id}
    ORDER BY vector::halfvec({dimension}) <=> %s::halfvec({dimension}) LIMIT %s
)
SELECT chunk_id, max(1 - (vector <=> %s::vector)) AS cosine FROM near
GROUP BY chunk_id ORDER BY cosine DESC, chunk_id DESC
"""


class VectorIndexes:
    """Builds the indexes, knows which models have one, and searches by them."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._looked_at = 0.0

    def prepare(self) -> None:
        """Keep vectors in their rows, where a scan finds them without a second look."""
        with connection.cursor() as cursor:
            cursor.execute(_STORAGE)
            found = dict(cursor.fetchall())
            if found and found != {"vector": "p", "words": "e"}:
                cursor.execute(
                    "ALTER TABLE memory_embeddings"
                    " ALTER COLUMN vector SET STORAGE PLAIN,"
                    " ALTER COLUMN words SET STORAGE EXTERNAL"
                )

    def size(self, model_id: int) -> int:
        """Return how many vectors the model's finished index has, 0 without one."""
        if time.monotonic() - self._looked_at > KNOWN_FOR_S:
            self._look()
        return self._sizes.get(_name(model_id), 0)

    def nearest(
        self, vector: str, model_id: int, dimension: int, windows: int
    ) -> Ranked:
        """Return the chunks of about so many windows nearest to a `vector_text`."""
        found = sql.prepared(
            _NEAREST.format(model_id=int(model_id), dimension=dimension),
            *(vector, windows, vector),
        )
        return [(chunk, float(cosine)) for chunk, cosine in found]

    def check(self) -> list[str]:
        """Return which indexes are missing or were left unfinished."""
        self._look()
        return [
            f"The vectors of model {model_id} have no finished index."
            for model_id, _ in _large_models()
            if not self.size(model_id)
        ]

    def maintain(self) -> None:
        """Build what is missing, without keeping anybody from writing."""
        self._look()
        with connection.cursor() as cursor:
            for name in self._orphaned():
                cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            cursor.execute(
                "SELECT set_config('maintenance_work_mem', greatest(%s,"
                " setting::bigint)::text, false) FROM pg_settings"
                " WHERE name = 'maintenance_work_mem'",
                [BUILD_MEMORY_KB],
            )
            for model_id, dimension in _large_models():
                name = _name(model_id)
                if self._sizes.get(name):
                    continue
                # One that was broken off stays behind, invalid.
                cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
                cursor.execute(
                    _CREATE.format(name=name, dimension=dimension, model_id=model_id)
                )
            cursor.execute("RESET maintenance_work_mem")
            cursor.execute("ANALYZE memory_embeddings, memory_chunks, memories")
        self._look()

    def _orphaned(self) -> list[str]:
        """Return the indexes of models that are gone."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM memory_embedding_models")
            kept = {_name(model_id) for (model_id,) in cursor.fetchall()}
        return sorted(
            name
            for name in self._sizes
            if name.startswith(_PREFIX) and name not in kept
        )

    def _look(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT c.relname, CASE WHEN i.indisvalid"
                " THEN greatest(c.reltuples, 1)::bigint ELSE 0 END FROM pg_index AS i"
                " JOIN pg_class AS c ON c.oid = i.indexrelid"
                " WHERE i.indrelid = to_regclass('memory_embeddings')"
            )
            self._sizes = dict(cursor.fetchall())
        self._looked_at = time.monotonic()


def _name(model_id: int) -> str:
    return f"{_PREFIX}{int(model_id)}"


def _large_models() -> list[tuple[int, int]]:
    """Return (id, dimension) of the models that have enough vectors for an index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT m.id, m.dimension FROM memory_embedding_models AS m"
            " WHERE m.dimension <= %s AND (SELECT count(*) FROM"
            " (SELECT 1 FROM memory_embeddings AS e WHERE e.model_id = m.id LIMIT %s)"
            " AS found) >= %s ORDER BY m.id",
            [MAX_DIMENSION, WORTH_AN_INDEX, WORTH_AN_INDEX],
        )
        return list(cursor.fetchall())
