"""What search knows of a record: its chunks and keyword entries.

They are made inside the transaction that writes the record, so that it is found by word
at once; the vectors follow from a job.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from goclaw.lib.config import chunk_config, search_config
from memory.analysis import get_analyser
from memory.chunking import Span, split
from memory.drafts import text_hash
from memory.models import Chunk, JobKind, Memory
from memory.queue import enqueue
from memory.scopes import IndexState
from memory.search.engines import get_engine

VERSION = 1
"""Raise it when texts are cut or analysed in another way: the start makes them anew."""
INDEX_KEY = "index"
"""The key that makes all pending records wait for one queued job."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The analysed text of a record, made before its transaction begins."""

    spans: list[Span]
    span_tokens: list[list[str]]


def prepare(title: str, content: str) -> Prepared:
    """Cut and analyse a text: the part of indexing that needs no database."""
    analyser = get_analyser(search_config().language)
    spans = split(content, chunk_config())
    return Prepared(
        spans=spans,
        span_tokens=[
            analyser.tokens(_searchable(content, span, title)) for span in spans
        ],
    )


def _searchable(content: str, span: Span, title: str) -> str:
    """Return a chunk's text under the title and headings that it stands below."""
    text = content[span.start : span.end]
    above = [part for part in (title, span.heading) if part and part not in text]
    return "\n".join([*above, text])


def enter(memory: Memory, prepared: Prepared, *, new: bool = False) -> None:
    """Replace the chunks and keyword entries of a record; `new` has none to replace.

    Who calls it calls `queue_vectors` at the end of the same transaction.
    """
    if not new:
        memory.chunks.all().delete()
    chunks = Chunk.objects.bulk_create(
        Chunk(
            memory_id=memory.pk,
            space_id=memory.space_id,
            ordinal=ordinal,
            start=span.start,
            end=span.end,
            line_start=span.line_start,
            line_end=span.line_end,
            heading=span.heading,
            text=memory.content[span.start : span.end],
            text_hash=text_hash(memory.content[span.start : span.end]),
        )
        for ordinal, span in enumerate(prepared.spans)
    )
    get_engine().index_chunks(
        [
            (chunk.pk, tokens)
            for chunk, tokens in zip(chunks, prepared.span_tokens, strict=True)
        ]
    )
    if memory.index_state != IndexState.PENDING:
        memory.index_state, memory.index_error = IndexState.PENDING, ""
        memory.save(update_fields=["index_state", "index_error"])


def queue_vectors() -> None:
    """Queue the job that embeds what is pending; one waiting job is enough for all."""
    enqueue(JobKind.INDEX, key=INDEX_KEY)


def leave(memory_ids: Sequence[int]) -> None:
    """Remove chunks, vectors and keyword entries, in the caller's transaction."""
    Chunk.objects.filter(memory_id__in=memory_ids).delete()
