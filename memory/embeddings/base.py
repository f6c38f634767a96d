"""What every embedding model offers, and how it fails."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""Float32: one vector of shape (dimension,), or n of them of shape (n, dimension)."""


class EmbeddingError(Exception):
    """A text could not be embedded.

    `permanent` says that asking again with the same texts cannot help; otherwise the
    model was not to be reached, too busy or broken, and a later attempt may succeed.
    """

    def __init__(self, message: str, *, permanent: bool) -> None:
        super().__init__(message)
        self.permanent = permanent


class Provider(Protocol):
    """A model that turns texts into vectors of length 1. Threads may share it."""

    @property
    def name(self) -> str:
        """Return the model's name."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of a vector; may load or ask the model at first."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Return one row per text, in order. Raises EmbeddingError."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question. Raises EmbeddingError."""
        ...


@runtime_checkable
class WordProvider(Provider, Protocol):
    """A provider that also gives the vectors of words, from the same computation.

    What it returns per text has the text's vector in the first row and below it one row
    per word, which are not of length 1 and may be none.
    """

    def embed_document_words(self, texts: Sequence[str]) -> list[Vector]:
        """Return an array of shape (1 + words, dimension) per text, in order."""
        ...

    def embed_query_words(self, text: str) -> Vector:
        """Return the same of a question."""
        ...


class FromWords(ABC):
    """The rest of a WordProvider, for one that knows how to embed with words."""

    def __init__(self, name: str, dimension: int | None) -> None:
        self.name = name
        self._dimension = dimension

    @abstractmethod
    def embed_document_words(self, texts: Sequence[str]) -> list[Vector]:
        """Return per text its vector and below it those of its words, in order."""

    @abstractmethod
    def embed_query_words(self, text: str) -> Vector:
        """Return the vector of a question and below it those of its words."""

    @property
    def dimension(self) -> int:
        """Return the length of a vector; embeds a text where it is not known."""
        if self._dimension is None:
            self._dimension = len(self.embed_query("How long is a vector?"))
        return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Return one row per text, in order. Raises EmbeddingError."""
        sheets = self.embed_document_words(texts)
        if not sheets:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([sheet[0] for sheet in sheets])

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question. Raises EmbeddingError."""
        vector: Vector = self.embed_query_words(text)[0]
        return vector


def checked(vectors: Vector, *, count: int, dimension: int | None) -> Vector:
    """Return the vectors at length 1, after making sure that they are usable.

    Raises EmbeddingError for a wrong number or dimension, NaN, infinity or zero: once
    stored, they would spoil every ranking that meets them.
    """
    if vectors.ndim != 2 or len(vectors) != count:
        raise EmbeddingError(
            f"The model answered {len(vectors)} vectors for {count} texts.",
            permanent=False,
        )
    if dimension is not None and vectors.shape[1] != dimension:
        raise EmbeddingError(
            f"The model answered vectors of {vectors.shape[1]} numbers instead of"
            f" {dimension}; another model seems to be behind the same name.",
            permanent=False,
        )
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise EmbeddingError(
            "The model answered a vector without a direction.", permanent=True
        )
    return np.asarray(vectors / lengths, dtype=np.float32)
