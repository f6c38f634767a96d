"""Search on SQLite: FTS5 for words, matrices in the process for vectors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.embeddings import Vector
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.follower import Follower
from memory.search.engines.matrix import Ids, Matrix, Number, top
from memory.search.engines.permitted import HEADROOM, Permitted, first_permitted
from memory.search.engines.sqlite_words import SqliteWords

WINDOWS_A_CHUNK = 2
"""How many windows of a chunk are about alike near to a question."""


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

    def wants_upkeep(self) -> bool:
        """Say no: the night is early enough."""
        return False

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

    def similarities(self, vector: Vector, model_id: int) -> "SqliteSimilarities":
        """Return how near the windows of a model are to a question's vector."""
        return SqliteSimilarities(self._follower.matrices(model_id), vector)


class SqliteSimilarities:
    """All of them, from one product a matrix."""

    def __init__(self, matrices: Sequence[Matrix], vector: Vector) -> None:
        self._scored = [(matrix, matrix.scores(vector)) for matrix in matrices]

    def nearest(self, permitted: Permitted, limit: int) -> Ranked:
        """Return the nearest permitted chunks."""
        # Others may append meanwhile; only the rows that were scored count.
        chunks = _joined([m.chunk_ids[: len(s)] for m, s in self._scored], np.int64)
        scores = _joined([s for _, s in self._scored], np.float32)
        size = HEADROOM * WINDOWS_A_CHUNK * limit
        best = _best_windows(chunks, scores, size)
        found = first_permitted(permitted, list(best), limit)
        if found is None or (len(found) < limit and size < len(scores)):
            rows = np.isin(chunks, np.fromiter(permitted.all(), dtype=np.int64))
            best = _best_windows(chunks[rows], scores[rows], size)
            found = list(best)[:limit]
        return [(chunk, best[chunk]) for chunk in found]

    def of(self, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosine of each chunk that has vectors."""
        best: dict[int, float] = {}
        wanted = np.array(chunk_ids, dtype=np.int64)
        for matrix, scores in self._scored:
            for chunk, cosine in matrix.best_of(wanted, scores).items():
                best[chunk] = max(cosine, best.get(chunk, -1.0))
        return best


def _joined(parts: list[NDArray[Number]], dtype: type[np.generic]) -> NDArray[Number]:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([np.empty(0, dtype=dtype), *parts])


def _best_windows(
    chunk_ids: Ids, scores: NDArray[np.float32], size: int
) -> dict[int, float]:
    """Return the chunks of the highest scores, each with its best, best first."""
    best: dict[int, float] = {}
    rows = top(scores, size)
    for chunk, score in zip(
        chunk_ids[rows].tolist(), scores[rows].tolist(), strict=True
    ):
        best.setdefault(chunk, score)
    return best
