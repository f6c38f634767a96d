"""A deterministic model without weights, for tests and installations without one."""

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from memory.embeddings.base import Vector, checked

DIMENSION = 256

_WORD = re.compile(r"\w+")


class HashingProvider:
    """Hashes words and their beginnings into signed buckets (Weinberger et al., 2009).

    Texts that share words are near each other; it knows nothing of meaning.
    """

    def __init__(self, name: str, dimension: int = DIMENSION) -> None:
        self.name = name
        self.dimension = dimension

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Return one row per text."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                digest = blake2b(feature.encode(), digest_size=8).digest()
                number = int.from_bytes(digest, "big")
                row[(number >> 1) % self.dimension] += weight * (1 - 2 * (number & 1))
            if not row.any():
                row[0] = 1.0
        return checked(rows, count=len(texts), dimension=self.dimension)

    def embed_query(self, text: str) -> Vector:
        """Return the vector of the text, like that of a document."""
        vector: Vector = self.embed_documents([text])[0]
        return vector


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.casefold()):
        yield word, 1.0
        if len(word) > 4:
            yield f"{word[:4]}-", 0.5
