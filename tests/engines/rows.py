"""Records with chunks, words and vectors, put into the tables without any service."""

from collections.abc import Sequence

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from memory.analysis import get_analyser
from memory.models import Chunk, Embedding, EmbeddingModel, Memory, Space
from memory.scopes import Scope
from memory.search.engines import get_engine

DIMENSION = 8


def make_space(kind: str = Scope.GLOBAL, path: str = "") -> Space:
    """Return a shared space, made if it is not there."""
    return Space.objects.get_or_create(kind=kind, path=path, owner=None)[0]


def make_model(name: str = "test", dimension: int = DIMENSION) -> EmbeddingModel:
    """Make a row for an embedding model."""
    return EmbeddingModel.objects.create(
        provider="hashing", name=name, dimension=dimension
    )


def make_memory(*texts: str, space: Space | None = None, index: bool = True) -> Memory:
    """Make a record of one chunk a text, and index its words."""
    space = space or make_space()
    content = "\n".join(texts)
    memory = Memory.objects.create(
        space=space,
        scope=space.kind,
        content=content,
        text_hash="",
        dedup_hash="",
        observed_at=timezone.now(),
    )
    chunks = Chunk.objects.bulk_create(
        Chunk(
            memory=memory,
            space_id=space.pk,
            ordinal=ordinal,
            start=0,
            end=len(text),
            line_start=1,
            line_end=1,
            text=text,
            text_hash="",
        )
        for ordinal, text in enumerate(texts)
    )
    if index:
        tokens = get_analyser("english").tokens
        get_engine().index_chunks([(chunk.pk, tokens(chunk.text)) for chunk in chunks])
    return memory


def embed(
    chunk: Chunk, model: EmbeddingModel, vectors: Sequence[Sequence[float]]
) -> None:
    """Store the vectors of a chunk's windows."""
    Embedding.objects.bulk_create(
        Embedding(
            chunk=chunk,
            space_id=chunk.space_id,
            model=model,
            ordinal=ordinal,
            text_hash="",
            vector=unit(vector),
        )
        for ordinal, vector in enumerate(vectors)
    )


def unit(numbers: Sequence[float]) -> NDArray[np.float32]:
    """Return a vector of length 1 in the direction of the numbers."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[: len(numbers)] = numbers
    return vector / np.linalg.norm(vector)


def tokens_for(query: str) -> list[str]:
    """Return every token by which the terms of a query may be found."""
    terms = get_analyser("english").query_terms(query)
    return list(dict.fromkeys(token for term in terms for token in term.tokens))
