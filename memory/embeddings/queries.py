"""Fewer and larger calls of a model for questions that many people ask at once."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

import numpy as np

from memory.embeddings.base import Vector


class _Request:
    """One waiting question. Woken either with an answer, or to compute for all."""

    __slots__ = ("error", "text", "vector", "wake")

    def __init__(self, text: str) -> None:
        self.text = text
        self.wake = threading.Event()
        self.vector: Vector | None = None
        self.error: BaseException | None = None

    @property
    def is_answered(self) -> bool:
        return self.vector is not None or self.error is not None


class MicroBatcher:
    """Computes the first question at once, and those that come meanwhile together.

    There is no thread of its own: whoever finds the model idle computes, and when done
    wakes the next in line to compute for everybody who waits by then.
    """

    def __init__(
        self, compute: Callable[[list[str]], Sequence[Vector]], limit: int
    ) -> None:
        self._compute = compute
        self._limit = limit
        self._lock = threading.Lock()
        self._waiting: deque[_Request] = deque()
        self._busy = False

    def embed(self, text: str) -> Vector:
        """Return the vector of the text; raise what the computation raised."""
        request = _Request(text)
        with self._lock:
            self._waiting.append(request)
            computes, self._busy = not self._busy, True
        if not computes:
            request.wake.wait()
        if not request.is_answered:
            self._compute_batch()
        if request.error is not None:
            raise request.error
        if request.vector is None:  # it was first in line, so it is in the batch
            raise RuntimeError("a batch left out its own question")
        return request.vector

    def _compute_batch(self) -> None:
        with self._lock:
            size = min(self._limit, len(self._waiting))
            batch = [self._waiting.popleft() for _ in range(size)]
        try:
            vectors = self._compute([request.text for request in batch])
            for request, vector in zip(batch, vectors, strict=True):
                request.vector = vector
        except BaseException as error:
            for request in batch:
                request.error = error
            raise
        finally:
            with self._lock:
                following = self._waiting[0] if self._waiting else None
                self._busy = following is not None
            for request in batch:
                request.wake.set()
            if following is not None:
                following.wake.set()


class RecentVectors:
    """Remembers the vectors of the last questions; the longest unasked go first."""

    def __init__(self, compute: Callable[[str], Vector], size: int = 512) -> None:
        self._compute = compute
        self._size = size
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    def embed(self, text: str) -> Vector:
        """Return the (read-only) vector of the text, computed at most once in a row."""
        with self._lock:
            known = self._vectors.get(text)
            if known is not None:
                self._vectors.move_to_end(text)
                return known
        vector = np.array(self._compute(text), dtype=np.float32)
        vector.setflags(write=False)
        with self._lock:
            self._vectors[text] = vector
            if len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector
