"""A question as vectors, computed while its words are being looked up."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from django.conf import settings

from memory import vectors
from memory.embeddings import EmbeddingError, Provider, Vector, WordProvider
from memory.search.focus import focus
from memory.search.types import Degraded

# A model computes without holding up other threads of Python, an endpoint even more so.
# These threads never touch the database.
_threads = ThreadPoolExecutor(settings.GOCLAW_WEB_THREADS, "question")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question as a vector, its words as vectors, and the model they are of."""

    vector: Vector
    words: Vector
    model_id: int


class Asked:
    """A question on its way through the model that searches use now."""

    def __init__(self, text: str) -> None:
        self._future: Future[Vector] | None = None
        self._model_id = 0
        self._error: EmbeddingError | None = None
        try:
            served = vectors.serving_model()
        except EmbeddingError as error:
            self._error = error
            return
        if served is not None:
            self._model_id = served.model.pk
            self._future = _threads.submit(_sheet, served.provider, focus(text))

    def meaning(self) -> tuple[Meaning | None, Degraded | None]:
        """Wait for the vectors; None without a model, and why if it has failed."""
        error = self._error
        if self._future is not None:
            try:
                sheet = self._future.result()
                return Meaning(sheet[0], sheet[1:], self._model_id), None
            except EmbeddingError as failure:
                error = failure
        if error is None:
            return None, None
        return None, Degraded(
            reason=f"Searched by words only: {error}",
            action="Check the embedding model; /readyz and the status page show it.",
        )


def _sheet(provider: Provider, question: str) -> Vector:
    """Return the question's vector and below it those of its words, if any."""
    if isinstance(provider, WordProvider):
        return provider.embed_query_words(question)
    return provider.embed_query(question)[None, :]
