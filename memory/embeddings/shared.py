"""A local model that lives in a process of its own, for all that ask questions.

One message asks, two answer: JSON that names the shapes, and the numbers as float32.
`memory.embeddings.serving` is the other end.
"""

import json
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Client, Connection
from typing import Any

import numpy as np

from memory.embeddings.base import EmbeddingError, FromWords, Vector
from memory.embeddings.local import PACKAGED_DIMENSION, PACKAGED_MODEL

FAMILY = "AF_UNIX"


class SharedProvider(FromWords):
    """Embeds by the model server at a socket; a LocalProvider in all but the place."""

    def __init__(self, name: str, address: str, *, timeout_s: float) -> None:
        super().__init__(name, PACKAGED_DIMENSION if name == PACKAGED_MODEL else None)
        self._address = address
        self._timeout_s = timeout_s
        self._idle: deque[Connection[Any, Any]] = deque()

    def embed_document_words(self, texts: Sequence[str]) -> list[Vector]:
        """Return per text its vector and below it those of its words."""
        return self._ask("documents", texts) if texts else []

    def embed_query_words(self, text: str) -> Vector:
        """Return the vector of a question and below it those of its words."""
        return self._ask("query", [text])[0]

    def _ask(self, what: str, texts: Sequence[str]) -> list[Vector]:
        request = json.dumps({"model": self.name, "ask": what, "texts": list(texts)})
        try:
            if connection := self._kept():
                # Started anew since the last question, the other end is gone.
                with suppress(EOFError, ConnectionError):
                    return self._exchange(connection, request)
                self._idle.clear()
            return self._exchange(Client(self._address, FAMILY), request)
        except (OSError, EOFError) as error:
            raise EmbeddingError(
                f"The process of the model does not answer: {type(error).__name__}.",
                permanent=False,
            ) from error

    def _kept(self) -> "Connection[Any, Any] | None":
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _exchange(
        self, connection: "Connection[Any, Any]", request: str
    ) -> list[Vector]:
        connection.send_bytes(request.encode())
        if not connection.poll(self._timeout_s):
            connection.close()
            raise TimeoutError
        head = json.loads(connection.recv_bytes())
        if "error" in head:
            self._idle.append(connection)
            raise EmbeddingError(head["error"], permanent=head["permanent"])
        numbers = np.frombuffer(connection.recv_bytes(), dtype=np.float32)
        self._idle.append(connection)
        return _apart(numbers, head["shapes"])


def _apart(numbers: Vector, shapes: Sequence[tuple[int, int]]) -> list[Vector]:
    ends = np.cumsum([rows * columns for rows, columns in shapes])
    parts = np.split(numbers, ends[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
