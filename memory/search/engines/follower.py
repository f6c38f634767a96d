"""Keeps matrices in memory in step with the table of vectors, on SQLite.

Rows are only ever inserted, under rising ids that are never used again, and deleted. So
a matrix is brought up to date by reading the rows after its last one, which sees what
any process has committed. Deleted rows stay in it for a while: their chunks are in no
queryset any more.
"""

import threading
import time
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
from django.db import connection

from memory.search.engines.matrix import Matrix

BATCH_ROWS = 4096
MAX_DEAD_SHARE = 0.2
LOOK_FOR_DEAD_EVERY_S = 600.0

_COLUMNS = "SELECT id, model_id, chunk_id, vector FROM memory_embeddings"


class _Row(NamedTuple):
    id: int
    model_id: int
    chunk_id: int
    vector: bytes


class _Matrices:
    """A matrix for each model, and the last row that was read."""

    def __init__(self) -> None:
        self.by_model: dict[int, Matrix] = {}
        self.last = 0

    def of(self, model_id: int) -> list[Matrix]:
        """Return the matrix of the model, if it has one."""
        found = self.by_model.get(model_id)
        return [found] if found else []

    def read_on(self, *, check: bool = True) -> bool:
        """Append what was inserted since; say False if what is here is not there."""
        last = self.last
        for number, batch in enumerate(_rows_from(last)):
            if check and last and number == 0 and batch[0].id == last:
                if not self.knows(batch[0]):
                    return False
                check = False
            self._append([row for row in batch if row.id > last])
        # The last row is gone: the one before it must be known instead.
        return not (check and last) or self.knows(_row_before(last))

    def _append(self, rows: list[_Row]) -> None:
        for model_id, of_model in groupby(
            sorted(rows, key=lambda row: row.model_id), key=lambda row: row.model_id
        ):
            batch = list(of_model)
            vectors = np.frombuffer(b"".join([r.vector for r in batch]), dtype="<f4")
            vectors = vectors.reshape(len(batch), -1)
            matrix = self.by_model.setdefault(model_id, Matrix(vectors.shape[1]))
            matrix.append(
                np.array([row.id for row in batch]),
                np.array([row.chunk_id for row in batch]),
                vectors,
            )
        if rows:
            self.last = rows[-1].id

    def knows(self, row: _Row | None) -> bool:
        """Say whether exactly this row has been read."""
        matrix = self.by_model.get(row.model_id) if row else None
        if row is None or matrix is None:
            return False
        vector = np.frombuffer(row.vector, dtype="<f4")
        return matrix.has(row.id, row.chunk_id, vector)

    def rows(self) -> int:
        """Return how many rows are held."""
        return sum(matrix.count for matrix in self.by_model.values())


class Follower:
    """The matrices of this process; any thread may ask for one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._matrices = _Matrices()
        self._looked_at = time.monotonic()
        self._tidying = threading.Lock()

    def matrices(self, model_id: int) -> list[Matrix]:
        """Return the vectors of a model as this thread's connection sees them now."""
        if connection.in_atomic_block:
            return self._seen_by_this_transaction(model_id)
        with self._lock:
            matrices = self._matrices
            if not matrices.read_on():
                matrices = self._matrices = _Matrices()
                matrices.read_on()
        self._tidy_sometimes()
        return matrices.of(model_id)

    def _seen_by_this_transaction(self, model_id: int) -> list[Matrix]:
        """Return what is shared, and apart what may yet be rolled back, ids and all."""
        shared = self._matrices
        own = _Matrices()
        own.last = shared.last
        if shared.last and shared.knows(_row_before(shared.last)):
            own.read_on(check=False)
            return [*shared.of(model_id), *own.of(model_id)]
        own.last = 0
        own.read_on()
        return own.of(model_id)

    def _tidy_sometimes(self) -> None:
        if time.monotonic() - self._looked_at < LOOK_FOR_DEAD_EVERY_S:
            return
        if self._tidying.acquire(blocking=False):
            self._looked_at = time.monotonic()
            threading.Thread(target=self._tidy, daemon=True).start()

    def _tidy(self) -> None:
        """Read everything anew if many rows are of deleted chunks; searches go on."""
        try:
            held = self._matrices.rows()
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM memory_embeddings")
                (alive,) = cursor.fetchone()
            if held - alive > MAX_DEAD_SHARE * held:
                fresh = _Matrices()
                fresh.read_on()
                with self._lock:
                    self._matrices = fresh
        finally:
            self._tidying.release()
            connection.close()


def _rows_from(first_id: int) -> Iterator[list[_Row]]:
    with connection.cursor() as cursor:
        cursor.execute(f"{_COLUMNS} WHERE id >= %s ORDER BY id", [first_id])
        while rows := cursor.fetchmany(BATCH_ROWS):
            yield [_Row(*row) for row in rows]


def _row_before(embedding_id: int) -> _Row | None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"{_COLUMNS} WHERE id <= %s ORDER BY id DESC LIMIT 1", [embedding_id]
        )
        row = cursor.fetchone()
    return _Row(*row) if row else None
