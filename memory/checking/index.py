"""Chunks, keyword entries and vectors, against the records they are of."""

from collections.abc import Iterable

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from goclaw.lib import sql
from goclaw.lib.config import embedding_config, search_config
from memory import entries, vectors
from memory.analysis import get_analyser
from memory.checking.registry import Check, register
from memory.models import (
    Chunk,
    Embedding,
    EmbeddingModel,
    Job,
    JobKind,
    JobState,
    Memory,
)
from memory.models.memories import MemoryQuerySet
from memory.scopes import IndexState
from memory.search.engines import get_engine

AT_ONCE = 100
_WORDLESS = """
SELECT id FROM memory_chunks WHERE id NOT IN (SELECT id FROM memory_chunk_words)
ORDER BY id
"""
_ORPHANS = """
SELECT id FROM memory_chunk_words WHERE id NOT IN (SELECT id FROM memory_chunks)
"""
_COMPARE = "INSERT INTO memory_chunk_fts (memory_chunk_fts, rank) VALUES (%s, 1)"
_REBUILD = "INSERT INTO memory_chunk_fts (memory_chunk_fts) VALUES ('rebuild')"


# --- chunks --------------------------------------------------------------------------
def _without_chunks() -> MemoryQuerySet:
    entered = Exists(Chunk.objects.filter(memory=OuterRef("pk")))
    return Memory.objects.filter(~entered, forgotten_at__isnull=True).exclude(
        content=""
    )


def _enter() -> None:
    after = 0
    while batch := list(
        _without_chunks().filter(pk__gt=after).order_by("pk")[:AT_ONCE]
    ):
        for memory in batch:
            prepared = entries.prepare(memory.title, memory.content)
            with transaction.atomic():
                locked = Memory.objects.select_for_update().filter(pk=memory.pk)
                if locked.filter(version=memory.version).exists():
                    entries.enter(memory, prepared)
        after = batch[-1].pk
    with transaction.atomic():
        entries.queue_vectors()


def _of_forgotten() -> QuerySet[Chunk]:
    return Chunk.objects.filter(memory__forgotten_at__isnull=False)


def _misplaced() -> list[int]:
    chunks = Chunk.objects.exclude(space_id=F("memory__space_id"))
    windows = Embedding.objects.exclude(space_id=F("chunk__memory__space_id"))
    return sorted(
        {*chunks.values_list("pk", flat=True), *windows.values_list("chunk", flat=True)}
    )


def _place() -> None:
    for chunk in Chunk.objects.filter(pk__in=_misplaced()).select_related("memory"):
        space = chunk.memory.space_id
        with transaction.atomic():
            Chunk.objects.filter(pk=chunk.pk).update(space_id=space)
            Embedding.objects.filter(chunk=chunk).update(space_id=space)


# --- words ---------------------------------------------------------------------------
def _structures() -> list[str]:
    problems = get_engine().check()
    return [text for text in problems if "no keyword entry" not in text]


def _words_are_there() -> bool:
    return "memory_chunk_words" in connection.introspection.table_names()


def _wordless() -> list[int]:
    return [pk for (pk,) in sql.rows(_WORDLESS)] if _words_are_there() else []


def _index_words() -> None:
    analyser = get_analyser(search_config().language)
    missing = _wordless()
    for start in range(0, len(missing), AT_ONCE):
        with transaction.atomic():
            rows = Chunk.objects.filter(pk__in=missing[start : start + AT_ONCE])
            memories = {chunk.memory_id for chunk in rows}
            for memory in Memory.objects.filter(pk__in=memories):
                prepared = entries.prepare(memory.title, memory.content)
                chunks = list(memory.chunks.order_by("ordinal"))
                tokens = prepared.span_tokens
                if len(chunks) != len(tokens):  # cut in another way by now
                    tokens = [analyser.tokens(chunk.text) for chunk in chunks]
                get_engine().index_chunks(
                    [(c.pk, t) for c, t in zip(chunks, tokens, strict=True)]
                )


def _orphaned_words() -> list[int]:
    return [pk for (pk,) in sql.rows(_ORPHANS)] if _words_are_there() else []


def _drop_words() -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "DELETE FROM memory_chunk_words WHERE id = %s",
            [(pk,) for pk in _orphaned_words()],
        )


def _broken_fts() -> list[str]:
    """Compare the full-text index with the words it is made of (SQLite)."""
    if connection.vendor != "sqlite" or not _words_are_there():
        return []
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_COMPARE, ["integrity-check"])
    except DatabaseError as error:
        return [str(error)]
    return []


def _rebuild_fts() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_REBUILD)


# --- vectors -------------------------------------------------------------------------
def _unused_models() -> list[EmbeddingModel]:
    """Return the models whose vectors no search and no job uses."""
    config = embedding_config()
    serving = vectors.serving_model_row()
    used = (config.provider, config.model, config.base_url)
    return [
        model
        for model in EmbeddingModel.objects.all()
        if serving is not None
        and model != serving
        and (model.provider, model.name, model.base_url) != used
    ]


def _drop_models() -> None:
    serving = vectors.serving_model_row()
    if serving is not None:
        for model in _unused_models():
            Embedding.objects.filter(model=model).delete()
            model.delete()


def _without_vectors() -> MemoryQuerySet:
    """Return records that count as indexed and lack a vector."""
    serving = vectors.serving_model_row()
    if serving is None or embedding_config().provider == "none":
        return Memory.objects.none()
    lacking = vectors.unfilled(serving).filter(memory=OuterRef("pk"))
    return Memory.objects.filter(Exists(lacking), index_state=IndexState.INDEXED)


def _failed() -> MemoryQuerySet:
    return Memory.objects.filter(index_state=IndexState.FAILED)


def _forgotten_by_jobs() -> Iterable[object]:
    """Return records that wait for vectors although no job is on its way."""
    live = Job.objects.filter(kind=JobKind.INDEX)
    if live.in_state(JobState.QUEUED, JobState.RUNNING).exists():
        return []
    if embedding_config().provider == "none":
        return []
    return Memory.objects.filter(index_state=IndexState.PENDING).values_list(
        "uid", flat=True
    )


def _again(found: MemoryQuerySet) -> None:
    with transaction.atomic():
        found.update(index_state=IndexState.PENDING, index_error="")
        entries.queue_vectors()


@transaction.atomic
def _queue() -> None:
    entries.queue_vectors()


for check in (
    Check(
        name="structures",
        problem="structures of the index that are missing",
        find=_structures,
        repair=lambda: get_engine().prepare(),
    ),
    Check(
        name="records-entered",
        problem="records without chunks, which no search finds",
        find=lambda: _without_chunks().values_list("uid", flat=True),
        repair=_enter,
    ),
    Check(
        name="forgotten-entered",
        problem="chunks of forgotten records",
        find=lambda: _of_forgotten().values_list("pk", flat=True),
        repair=lambda: _of_forgotten().delete() and None,
    ),
    Check(
        name="spaces",
        problem="chunks that do not lie in the space of their record",
        find=_misplaced,
        repair=_place,
    ),
    Check(
        name="words",
        problem="chunks without keyword entries",
        find=_wordless,
        repair=_index_words,
    ),
    Check(
        name="words-of-nothing",
        problem="keyword entries of chunks that are gone",
        find=_orphaned_words,
        repair=_drop_words,
    ),
    Check(
        name="full-text",
        problem="full-text index that does not say what its words say",
        find=_broken_fts,
        repair=_rebuild_fts,
    ),
    Check(
        name="other-models",
        problem="embedding models that nothing uses",
        find=_unused_models,
        repair=_drop_models,
    ),
    Check(
        name="vectors",
        problem="records that count as indexed and lack vectors",
        find=lambda: _without_vectors().values_list("uid", flat=True),
        repair=lambda: _again(_without_vectors()),
    ),
    Check(
        name="index-failed",
        problem="records that could not be embedded",
        find=lambda: _failed().values_list("uid", flat=True),
        repair=lambda: _again(_failed()),
    ),
    Check(
        name="index-waiting",
        problem="records that wait for vectors with no job on its way",
        find=_forgotten_by_jobs,
        repair=_queue,
    ),
):
    register(check)
