"""Likeness by words: each word of a question meets its best match in a passage. Pure.

The mean over the question's words of the best cosine ("MaxSim": Khattab and Zaharia,
ColBERT, 2020) tells passages apart that one vector a window blurs. The vectors of a
passage's words are kept as signs, one bit a dimension, which ranks as well as floats.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

BLOCK_WORDS = 512
"""Words unpacked at a time: they stay in the processor's cache."""

Floats = NDArray[np.float32]


def pack(words: Floats) -> bytes:
    """Return the signs of vectors of shape (words, d) as d / 8 bytes a word."""
    return np.packbits(words > 0, axis=1).tobytes()


def likenesses(question: Floats, passages: Sequence[bytes]) -> list[float | None]:
    """Return for each passage how well it matches the question's words, -1..1.

    `question` has shape (words, d); a passage is what `pack` made, or several of them
    joined. None where either has no words.
    """
    count, dimension = question.shape
    width = dimension // 8
    lengths = np.array([len(passage) // width for passage in passages], dtype=np.intp)
    found: list[float | None] = [None] * len(passages)
    present = np.flatnonzero(lengths)
    if not count or not len(present):
        return found
    packed = np.frombuffer(b"".join(passages), dtype=np.uint8).reshape(-1, width)
    # The cosine with signs s = 2b - 1 is (2 q.b - sum of q) / (|q| sqrt d).
    scaled = question / np.maximum(
        np.linalg.norm(question, axis=1, keepdims=True), 1e-9
    )
    products = _products(packed, np.ascontiguousarray(scaled.T))
    cosines = (2 * products - scaled.sum(axis=1)) / np.sqrt(dimension)
    starts = np.cumsum(lengths[present]) - lengths[present]
    best = np.maximum.reduceat(cosines, starts, axis=0).mean(axis=1)
    for row, value in zip(present.tolist(), best.tolist(), strict=True):
        found[row] = value
    return found


def _products(packed: NDArray[np.uint8], question: Floats) -> Floats:
    """Return the bits of each row times the question's words, (rows, words)."""
    products = np.empty((len(packed), question.shape[1]), dtype=np.float32)
    for at in range(0, len(packed), BLOCK_WORDS):
        bits = np.unpackbits(packed[at : at + BLOCK_WORDS], axis=1)
        products[at : at + BLOCK_WORDS] = bits.astype(np.float32) @ question
    return products
