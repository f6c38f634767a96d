"""Search on SQLite: FTS5 for words, matrices in the process for vectors."""

import json
from collections.abc import Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memory.embeddings import Vector
from memory.search.engines.base import Entries, Ranked, Rows, Statistics
from memory.search.engines.follower import Follower
from memory.search.engines.matrix import Ids, Matrix, top
from memory.search.engines.permitted import HEADROOM, first_permitted
from memory.search.engines.sqlite_words import SqliteWords

WINDOWS_A_CHUNK = 2
"""How many windows of a chunk are about alike near to a question."""
MARGIN = 16
"""Chunks computed exactly beyond the limit: quantised, neighbours may swap places."""


class SqliteEngine:
    """Exact in everything; needs no loadable extension."""

    def __init__(self) -> None:
        self._chunks = SqliteWords("memory_chunks", "memory_chunk")
        self._follower = Follower()

    # --- structures ---

    def prepare(self) -> None:
        """Create what is missing of tables and triggers."""
        self._chunks.prepare()

    def check(self) -> list[str]:
        """Return what is wrong with tables and triggers."""
        return self._chunks.check()

    def maintain(self) -> None:
        """Merge the keyword indexes, each a write of some seconds when large."""
        self._chunks.optimise()

    def prefetch(self, model_id: int) -> None:
        """Read the vectors into memory."""
        self._follower.matrices(model_id)

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
        if queryset.query.is_empty():
            return []
        ids, chunk_ids, scores = _scored(self._follower.matrices(model_id), vector)
        windows = top(scores, HEADROOM * WINDOWS_A_CHUNK * limit)
        best = _best_windows(windows, chunk_ids)
        wanted = limit + MARGIN
        found = first_permitted(queryset, list(best), wanted)
        if found is None or (len(found) < wanted and len(windows) < len(scores)):
            readable = queryset.order_by().values_list("pk", flat=True)
            inside = np.isin(chunk_ids, np.fromiter(readable, dtype=np.int64))
            rows = np.flatnonzero(inside)
            windows = rows[top(scores[rows], HEADROOM * WINDOWS_A_CHUNK * limit)]
            best = _best_windows(windows, chunk_ids)
            found = list(best)[:wanted]
        return _exactly({int(ids[best[chunk]]): chunk for chunk in found}, vector)[
            :limit
        ]

    def cosines_of(
        self, chunk_ids: Sequence[int], vector: Vector, model_id: int
    ) -> dict[int, float]:
        """Return the cosine of the best window of each chunk."""
        best: dict[int, float] = {}
        wanted = np.array(chunk_ids, dtype=np.int64)
        for matrix in self._follower.matrices(model_id):
            for chunk, cosine in matrix.best_of(wanted, vector).items():
                best[chunk] = max(cosine, best.get(chunk, -1.0))
        return best

    def vectors_of(self, chunk_ids: Sequence[int], model_id: int) -> dict[int, Vector]:
        """Return the windows of each chunk, shape (windows, d)."""
        found: dict[int, list[bytes]] = {}
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT chunk_id, vector FROM memory_embeddings WHERE model_id = %s"
                " AND chunk_id IN (SELECT value FROM json_each(%s))"
                " ORDER BY chunk_id, ordinal",
                [model_id, json.dumps(list(chunk_ids))],
            )
            for chunk, vector in cursor.fetchall():
                found.setdefault(chunk, []).append(vector)
        return {
            chunk: np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), -1)
            for chunk, rows in found.items()
        }


def _scored(
    matrices: Sequence[Matrix], vector: Vector
) -> tuple[Ids, Ids, NDArray[np.float32]]:
    """Return embedding ids, chunk ids and scores of all rows."""
    scores = [matrix.scores(vector) for matrix in matrices]
    # Others may append meanwhile; only the rows that were scored count.
    ids = [m.ids[: len(s)] for m, s in zip(matrices, scores, strict=True)]
    chunks = [m.chunk_ids[: len(s)] for m, s in zip(matrices, scores, strict=True)]
    if len(matrices) == 1:
        return ids[0], chunks[0], scores[0]
    nothing = np.empty(0, dtype=np.int64)
    return (
        np.concatenate([nothing, *ids]),
        np.concatenate([nothing, *chunks]),
        np.concatenate([np.empty(0, dtype=np.float32), *scores]),
    )


def _best_windows(rows: NDArray[np.intp], chunk_ids: Ids) -> dict[int, int]:
    """Return the first row of each chunk, in the order of the rows."""
    best: dict[int, int] = {}
    for chunk, row in zip(chunk_ids[rows].tolist(), rows.tolist(), strict=True):
        best.setdefault(chunk, row)
    return best


def _exactly(chunk_of: dict[int, int], vector: Vector) -> Ranked:
    """Return the chunks of the embeddings by the cosine of the stored vectors."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, vector FROM memory_embeddings"
            " WHERE id IN (SELECT value FROM json_each(%s))",
            [json.dumps(list(chunk_of))],
        )
        rows = cursor.fetchall()
    if not rows:
        return []
    stored = np.frombuffer(b"".join([blob for _, blob in rows]), dtype="<f4")
    cosines = (stored.reshape(len(rows), -1) @ vector).tolist()
    found = [(chunk_of[row[0]], cos) for row, cos in zip(rows, cosines, strict=True)]
    return sorted(found, key=lambda entry: (-entry[1], -entry[0]))
