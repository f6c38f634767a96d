"""Vectors in memory, a byte a number: a quarter of float32's room and of its time.

Each row has its own scale, which keeps a cosine right to about 0.0005; whoever needs
more computes the few best again from the stored float32. Pure, apart from threads: one
may append while others read.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memory.embeddings import Vector

Ids = NDArray[np.int64]

Number = TypeVar("Number", bound=np.generic)

SEGMENT_ROWS = 16_384
BLOCK_ROWS = 512
"""Rows turned into float32 at a time: they stay in the processor's cache."""


class Matrix:
    """Rows of (embedding id, chunk id, vector), by rising embedding id."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.count = 0
        self._segments: list[NDArray[np.int8]] = []
        self._ids = np.empty(0, dtype=np.int64)
        self._chunk_ids = np.empty(0, dtype=np.int64)
        self._scales = np.empty(0, dtype=np.float32)

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
        block = np.empty((BLOCK_ROWS, self.dimension), dtype=np.float32)
        vector = np.ascontiguousarray(vector, dtype=np.float32)
        for start in range(0, count, BLOCK_ROWS):
            segment, offset = divmod(start, SEGMENT_ROWS)
            size = min(BLOCK_ROWS, count - start)
            rows = block[:size]
            np.copyto(rows, self._segments[segment][offset : offset + size])
            np.dot(rows, vector, out=scores[start : start + size])
        scores *= self._scales[:count]
        return scores

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
