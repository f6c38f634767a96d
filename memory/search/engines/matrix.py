"""Vectors in memory, a byte a number: a quarter of float32's room and of its time.

Each row has its own scale, which keeps a cosine right to about 0.0005. Pure, apart from
threads: one may append while others read.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memory.embeddings import Vector

Ids = NDArray[np.int64]

Number = TypeVar("Number", bound=np.generic)

SEGMENT_ROWS = 16_384
BLOCK_ROWS = 512
"""Rows turned into float32 at a time: they stay in the processor's cache."""

ROWS_FOR_TWO = 50_000
"""From here on two threads share a product; NumPy lets go of the interpreter's lock."""

_helper = ThreadPoolExecutor(1, thread_name_prefix="matrix")


class Matrix:
    """Rows of (embedding id, chunk id, vector), by rising embedding id."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.count = 0
        self._segments: list[NDArray[np.int8]] = []
        self._ids = np.empty(0, dtype=np.int64)
        self._chunk_ids = np.empty(0, dtype=np.int64)
        self._scales = np.empty(0, dtype=np.float32)
        self._order: tuple[int, Ids, NDArray[np.intp] | None] = (0, self._ids, None)

    @property
    def ids(self) -> Ids:
        """Return the embedding ids, rising."""
        return self._ids[: self.count]

    @property
    def chunk_ids(self) -> Ids:
        """Return the chunk id of each row."""
        return self._chunk_ids[: self.count]

    def append(self, ids: Ids, chunk_ids: Ids, vectors: Vector) -> None:
        """Add rows whose ids are above all others; `vectors` is (n, dimension)."""
        rows, scales = quantised(vectors)
        first, end = self.count, self.count + len(rows)
        self._reserve(end)
        self._ids[first:end] = ids
        self._chunk_ids[first:end] = chunk_ids
        self._scales[first:end] = scales
        at = first
        while at < end:
            segment, offset = divmod(at, SEGMENT_ROWS)
            taken = min(SEGMENT_ROWS - offset, end - at)
            part = rows[at - first : at - first + taken]
            self._segments[segment][offset : offset + taken] = part
            at += taken
        self.count = end  # last: a reader sees whole rows only

    def scores(self, vector: Vector) -> NDArray[np.float32]:
        """Return the cosine of every row with the vector of length 1, nearly exact."""
        count = self.count
        scores = np.empty(count, dtype=np.float32)
        vector = np.ascontiguousarray(vector, dtype=np.float32)
        middle = 0
        if count > ROWS_FOR_TWO:
            middle = count // 2 // BLOCK_ROWS * BLOCK_ROWS
        if middle:
            helped = _helper.submit(self._score, vector, scores, 0, middle)
            self._score(vector, scores, middle, count)
            helped.result()
        else:
            self._score(vector, scores, 0, count)
        scores *= self._scales[:count]
        return scores

    def best_of(self, chunk_ids: Ids, scores: NDArray[np.float32]) -> dict[int, float]:
        """Return the best of the scores of each chunk that has rows here."""
        ids, order = self._by_chunk(len(scores))
        wanted = np.unique(chunk_ids)
        first = np.searchsorted(ids, wanted, side="left")
        sizes = np.searchsorted(ids, wanted, side="right") - first
        wanted, first, sizes = wanted[sizes > 0], first[sizes > 0], sizes[sizes > 0]
        if not len(wanted):
            return {}
        starts = np.cumsum(sizes) - sizes
        at = np.arange(sizes.sum()) + np.repeat(first - starts, sizes)
        rows = at if order is None else order[at]
        best = np.maximum.reduceat(scores[rows], starts)
        return dict(zip(wanted.tolist(), best.tolist(), strict=True))

    def _by_chunk(self, count: int) -> tuple[Ids, NDArray[np.intp] | None]:
        """Return the rising chunk ids of the first rows, and whose they are.

        None says that the rows are in that order already, as they mostly are.
        """
        known_count, sorted_ids, order = self._order
        if known_count != count:
            sorted_ids, order = self._chunk_ids[:count], None
            if not (sorted_ids[1:] >= sorted_ids[:-1]).all():
                order = np.argsort(sorted_ids, kind="stable")
                sorted_ids = sorted_ids[order]
            self._order = (count, sorted_ids, order)
        return sorted_ids, order

    def _score(
        self, vector: Vector, scores: NDArray[np.float32], start: int, end: int
    ) -> None:
        """Fill in the scores from `start`, a multiple of a block, to `end`."""
        block = np.empty((BLOCK_ROWS, self.dimension), dtype=np.float32)
        for at in range(start, end, BLOCK_ROWS):
            segment, offset = divmod(at, SEGMENT_ROWS)
            size = min(BLOCK_ROWS, end - at)
            rows = block[:size]
            np.copyto(rows, self._segments[segment][offset : offset + size])
            np.dot(rows, vector, out=scores[at : at + size])

    def has(self, embedding_id: int, chunk_id: int, vector: Vector) -> bool:
        """Say whether exactly this row is here."""
        at = int(np.searchsorted(self.ids, embedding_id))
        if at >= self.count or self._ids[at] != embedding_id:
            return False
        row = self._segments[at // SEGMENT_ROWS][at % SEGMENT_ROWS]
        same = np.array_equal(row, quantised(vector[None, :])[0][0])
        return same and int(self._chunk_ids[at]) == chunk_id

    def _reserve(self, count: int) -> None:
        while len(self._segments) * SEGMENT_ROWS < count:
            rows = np.zeros((SEGMENT_ROWS, self.dimension), dtype=np.int8)
            self._segments.append(rows)
        if count > len(self._ids):
            room = max(count, len(self._ids) * 3 // 2, 1024)
            self._ids = _grown(self._ids, room)
            self._chunk_ids = _grown(self._chunk_ids, room)
            self._scales = _grown(self._scales, room)


def quantised(vectors: Vector) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return each row in steps of 1/127 of its largest number, and the steps' sizes."""
    steps = np.abs(vectors).max(axis=1) / np.float32(127)
    steps[steps == 0] = 1
    rows = np.rint(vectors / steps[:, None]).astype(np.int8)
    return rows, steps.astype(np.float32)


def top(scores: NDArray[np.float32], size: int) -> NDArray[np.intp]:
    """Return the positions of the highest scores, best first."""
    if size < len(scores):
        best = np.argpartition(scores, -size)[-size:]
    else:
        best = np.arange(len(scores))
    return best[np.argsort(-scores[best], kind="stable")]


def _grown(array: NDArray[Number], room: int) -> NDArray[Number]:
    larger = np.zeros(room, dtype=array.dtype)
    larger[: len(array)] = array
    return larger
