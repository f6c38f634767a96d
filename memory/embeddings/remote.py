"""Models behind an OpenAI-compatible endpoint: OpenAI, Ollama, vLLM, Gemini, ..."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory.embeddings.base import EmbeddingError, Vector, checked
from memory.embeddings.queries import RecentVectors

if TYPE_CHECKING:
    from openai import OpenAI

RETRIES = 2
REFUSED_TEXT = frozenset({400, 413, 422})
"""Statuses that blame the texts. A wrong key, a full quota or a broken server do not:
what is right now may be embedded once somebody has seen to it."""


class RemoteProvider:
    """Embeds over HTTP through the OpenAI SDK; nothing is asked before it is needed."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        api_key: str,
        batch_size: int,
        timeout_s: float,
    ) -> None:
        self.name = name
        self._base_url = base_url or None
        self._api_key = api_key or "unused"
        self._batch_size = batch_size
        self._timeout_s = timeout_s
        self._connecting = threading.Lock()
        self._client: OpenAI | None = None
        self._dimension: int | None = None
        self._recent = RecentVectors(self._embed_query)

    @property
    def dimension(self) -> int:
        """Return the length of a vector; the first call asks the endpoint."""
        if self._dimension is None:
            self._dimension = len(self.embed_query("dimension"))
        return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Return one row per text, in order, asked for in batches."""
        batches = [
            self._embed_apart(list(texts[start : start + self._batch_size]))
            for start in range(0, len(texts), self._batch_size)
        ]
        if not batches:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.concatenate(batches)

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question; the last few hundred are remembered."""
        return self._recent.embed(text)

    def _embed_query(self, text: str) -> Vector:
        vector: Vector = self._ask([text])[0]
        return vector

    def _embed_apart(self, texts: list[str]) -> Vector:
        """Return the vectors of a batch, in halves if it is refused as a whole.

        So a batch that is only too large gets through. Raises the error of a text that
        is refused even alone.
        """
        try:
            return self._ask(texts)
        except EmbeddingError as error:
            if not error.permanent or len(texts) == 1:
                raise
        half = len(texts) // 2
        return np.concatenate(
            [self._embed_apart(texts[:half]), self._embed_apart(texts[half:])]
        )

    def _ask(self, texts: list[str]) -> Vector:
        import openai

        try:
            answer = self._connected().embeddings.create(
                input=texts, model=self.name, encoding_format="float"
            )
            rows = sorted(answer.data or (), key=lambda row: row.index)
            vectors = np.array([row.embedding for row in rows], dtype=np.float32)
        except openai.APIStatusError as error:
            raise EmbeddingError(
                f"{self._place} answered {error.status_code}: {error.message[:200]}",
                permanent=error.status_code in REFUSED_TEXT,
            ) from error
        except openai.OpenAIError as error:
            raise EmbeddingError(
                f"{self._place} cannot be asked: {error}", permanent=False
            ) from error
        except (TypeError, ValueError, AttributeError) as error:
            raise EmbeddingError(
                f"{self._place} did not answer with embeddings.", permanent=False
            ) from error
        vectors = checked(vectors, count=len(texts), dimension=self._dimension)
        self._dimension = vectors.shape[1]
        return vectors

    @property
    def _place(self) -> str:
        return self._base_url or "The embedding service"

    def _connected(self) -> "OpenAI":
        with self._connecting:
            if self._client is None:
                from openai import OpenAI

                self._client = OpenAI(
                    base_url=self._base_url,
                    api_key=self._api_key,
                    timeout=self._timeout_s,
                    max_retries=RETRIES,
                )
            return self._client
