"""An OpenAI-compatible embedding endpoint whose model turns another model around.

Its vectors are those of the hashing model, rotated into more dimensions: every cosine
between two of its vectors is the same as before, every cosine across the models is
chance. So a search that mixes models gives itself away.
"""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from bench import json_server
from memory.embeddings.hashing import DIMENSION, HashingProvider

WIDER = DIMENSION + 64


class RotatedModel:
    """The hashing model in another basis; remembers which texts it was asked for."""

    def __init__(self) -> None:
        random = np.random.default_rng(5)
        self._places = random.permutation(WIDER)[:DIMENSION]
        self._signs = random.choice([-1.0, 1.0], size=DIMENSION)
        self._model = HashingProvider("rotated")
        self.seen: set[str] = set()

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text."""
        self.seen.update(texts)
        rows = np.zeros((len(texts), WIDER))
        rows[:, self._places] = self._model.embed_documents(texts) * self._signs
        return rows.tolist()


def serving(model: RotatedModel) -> AbstractContextManager[str]:
    """Yield the base URL at which the model answers."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        given = asked["input"]
        texts = [given] if isinstance(given, str) else given
        data = [
            {"object": "embedding", "index": index, "embedding": row}
            for index, row in enumerate(model.embed(texts))
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        return {"object": "list", "data": data, "model": "rotated", "usage": usage}

    return json_server.serving(answer)
