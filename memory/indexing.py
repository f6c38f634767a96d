"""The job that gives pending records their vectors, in batches of many records.

It may run twice, be killed, or meet records that change or vanish meanwhile: vectors go
only to chunks that are still there, and a record counts as indexed only once none of
its chunks lacks a vector. No transaction is open while a model computes.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from goclaw.lib.config import chunk_config
from goclaw.lib.plurals import number_of
from memory import vectors
from memory.chunking import windows
from memory.drafts import text_hash
from memory.embeddings import EmbeddingError, Provider, Vector, WordProvider
from memory.likeness import pack
from memory.models import Chunk, Embedding, EmbeddingModel, JobKind, Memory
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.scopes import IndexState
from memory.search.engines import get_engine
from memory.vectors import Served

logger = logging.getLogger(__name__)

CHUNKS_A_BATCH = 64
UPKEEP_KEY = "index"


def run_index_job(run: JobRun) -> JobResult:
    """Embed what is pending, then build the vectors of a newly configured model."""
    models = vectors.models_to_fill()
    counts = {"chunks": 0, "failed": 0}
    for served in models:
        _drain(run, served, _pending_chunks(served.model), counts)
    counts["records"] = _finish([served.model for served in models])
    if models and not run.should_stop():
        # Old records get the vectors of a new model while searches use the old one.
        configured = models[0]
        _drain(run, configured, vectors.unfilled(configured.model), counts)
        if vectors.settle(configured.model):
            vectors.drop_others(configured.model)
        if counts["chunks"] and get_engine().wants_upkeep():
            enqueue(JobKind.MAINTAIN, key=UPKEEP_KEY)
    return JobResult(counts, finished=not run.should_stop())


def _drain(
    run: JobRun, served: Served, waiting: QuerySet[Chunk], counts: dict[str, int]
) -> None:
    """Embed what waits, batch by batch, until there is nothing or the time is up."""
    in_order = waiting.select_related("memory").order_by("memory_id", "ordinal")
    while not run.should_stop() and (batch := list(in_order[:CHUNKS_A_BATCH])):
        failed = _embed(batch, served)
        counts["chunks"] += len(batch) - failed
        counts["failed"] += failed
        done = counts["chunks"]
        run.heartbeat(done, note=number_of(done, "chunks embedded"))


def _pending_chunks(model: EmbeddingModel) -> QuerySet[Chunk]:
    return vectors.unfilled(model).filter(memory__index_state=IndexState.PENDING)


def _embed(chunks: Sequence[Chunk], served: Served) -> int:
    """Store the vectors of the chunks; return how many could not be embedded.

    When the model refuses the batch for good, each record is tried alone, and the one
    at fault is marked. Raises EmbeddingError for what may pass, so the job is retried.
    """
    try:
        _store(chunks, _windows_of(chunks), served)
    except EmbeddingError as error:
        if not error.permanent:
            raise
        owners = {chunk.memory_id for chunk in chunks}
        if len(owners) == 1:
            return _give_up(chunks, error)
        return sum(
            _embed([chunk for chunk in chunks if chunk.memory_id == owner], served)
            for owner in sorted(owners)
        )
    return 0


def _give_up(chunks: Sequence[Chunk], error: EmbeddingError) -> int:
    logger.warning("Record %s cannot be embedded: %s", chunks[0].memory_id, error)
    Memory.objects.filter(
        pk=chunks[0].memory_id, version=chunks[0].memory.version
    ).update(index_state=IndexState.FAILED, index_error=str(error)[:300])
    return len(chunks)


def _windows_of(chunks: Iterable[Chunk]) -> list[tuple[Chunk, list[str]]]:
    size = chunk_config().window
    return [(chunk, windows(chunk.text, _prefix(chunk), size)) for chunk in chunks]


def _prefix(chunk: Chunk) -> str:
    """Return what every window is embedded with: when it was, and what it is about."""
    memory = chunk.memory
    parts = [memory.title, chunk.heading, f"{memory.observed_at:%d %B %Y}"]
    return " > ".join(part for part in parts if part)


def _store(
    chunks: Sequence[Chunk], texts: list[tuple[Chunk, list[str]]], served: Served
) -> None:
    by_hash = {text_hash(text): text for _, parts in texts for text in parts}
    known = _embedded_by_hash(by_hash, served)
    rows = [
        Embedding(
            chunk=chunk,
            space_id=chunk.space_id,
            model=served.model,
            ordinal=ordinal,
            text_hash=text_hash(text),
            vector=known[text_hash(text)].vector,
            words=known[text_hash(text)].words,
        )
        for chunk, parts in texts
        for ordinal, text in enumerate(parts)
    ]
    with transaction.atomic():
        present = set(
            Chunk.objects.filter(pk__in=[chunk.pk for chunk in chunks])
            .select_for_update(no_key=True)
            .values_list("pk", flat=True)
        )
        Embedding.objects.bulk_create(
            [row for row in rows if row.chunk_id in present], ignore_conflicts=True
        )


class _Embedded(NamedTuple):
    vector: Vector
    words: bytes


def _embedded_by_hash(texts: dict[str, str], served: Served) -> dict[str, _Embedded]:
    """Return what to store for each text hash; the same text is embedded once."""
    stored = Embedding.objects.filter(model=served.model, text_hash__in=list(texts))
    found = {
        key: _Embedded(vector, bytes(words))
        for key, vector, words in stored.values_list("text_hash", "vector", "words")
    }
    missing = [key for key in texts if key not in found]
    if missing:
        made = _embedded([texts[key] for key in missing], served.provider)
        found |= dict(zip(missing, made, strict=True))
    return found


def _embedded(texts: list[str], provider: Provider) -> list[_Embedded]:
    if isinstance(provider, WordProvider):
        sheets = provider.embed_document_words(texts)
        return [_Embedded(sheet[0], pack(sheet[1:])) for sheet in sheets]
    return [_Embedded(vector, b"") for vector in provider.embed_documents(texts)]


def _finish(models: Sequence[EmbeddingModel]) -> int:
    """Mark the pending records that lack no vector as indexed; return how many."""
    done = Memory.objects.filter(index_state=IndexState.PENDING)
    for model in models:
        lacking = vectors.unfilled(model).filter(memory=OuterRef("pk"))
        done = done.exclude(Exists(lacking))
    return done.update(index_state=IndexState.INDEXED, index_error="")
