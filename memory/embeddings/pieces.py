"""From the vectors of word pieces to those of words."""

import string
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.embeddings.base import Vector
from memory.stopwords import ENGLISH

_CONTINUES = "##"
"""How BERT's tokenizer marks a piece that goes on with a word."""


class WordPieces:
    """Joins the pieces of a word; leaves out stop words and punctuation."""

    def __init__(self, tokenizer: Any) -> None:
        pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        dull = ENGLISH | set(string.punctuation)
        self._continues = np.array([piece.startswith(_CONTINUES) for piece in pieces])
        self._dull = np.array([piece in dull for piece in pieces])
        self._special = np.zeros(len(pieces), dtype=bool)
        self._special[tokenizer.all_special_ids] = True

    def words(self, ids: NDArray[np.int64], vectors: Vector) -> Vector:
        """Return one row per word; ids and vectors are those of one text, unpadded.

        Without any other word the stop words count.
        """
        inside = ~self._special[ids]
        ids, vectors = ids[inside], vectors[inside]
        if not len(ids):
            return vectors
        starts = ~self._continues[ids]
        starts[0] = True
        first = np.flatnonzero(starts)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        words: Vector = np.add.reduceat(vectors / np.maximum(lengths, 1e-9), first)
        pieces = np.diff(np.append(first, len(ids)))
        telling = ~(self._dull[ids[first]] & (pieces == 1))
        return words[telling] if telling.any() else words
