"""Turn ranked chunks into what a person or an agent reads."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from memory.analysis import Analyser, QueryTerm
from memory.models import Chunk
from memory.models.chunks import ChunkQuerySet
from memory.search.ranking import Ranked
from memory.search.snippets import make_snippet
from memory.search.types import SearchHit


def load(chunks: ChunkQuerySet, ids: Iterable[int]) -> dict[int, Chunk]:
    """Return the chunks with their records and tags, in two queries.

    They are asked for through the permitted queryset once more, so a record that was
    forgotten since it was ranked is not shown.
    """
    found = (
        chunks.filter(pk__in=list(ids))
        .select_related("memory", "memory__superseded_by")
        .defer("memory__content", "memory__superseded_by__content")
        .prefetch_related("memory__tags")
    )
    return {chunk.pk: chunk for chunk in found}


def make_hit(
    chunk: Chunk,
    ranked: Ranked,
    *,
    terms: Sequence[QueryTerm],
    analyser: Analyser,
    now: datetime,
) -> SearchHit:
    """Return one hit with its citation, snippet and reasons."""
    memory = chunk.memory
    snippet = make_snippet(chunk.text, terms, analyser)
    replacement = memory.superseded_by
    age: timedelta = now - memory.observed_at
    fields: dict[str, Any] = {
        name: getattr(memory, name) for name in ("scope", "kind", "domain", "title")
    }
    return SearchHit(
        id=memory.uid,
        record=memory.pk,
        tags=tuple(memory.tag_names()),
        path=memory.source_key or None,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        snippet=snippet.text,
        matches=snippet.matches,
        score=round(ranked.score, 4),
        parts={k: None if v is None else round(v, 4) for k, v in ranked.parts.items()},
        age_days=round(max(age.total_seconds(), 0) / 86_400, 2),
        superseded=memory.is_superseded,
        superseded_by=replacement.uid if replacement else None,
        **fields,
    )
