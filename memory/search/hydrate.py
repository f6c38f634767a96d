"""Turn ranked chunks into what a person or an agent reads."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from memory.analysis import Analyser, QueryTerm
from memory.models import MemoryTag
from memory.models.chunks import ChunkQuerySet
from memory.models.ids import among
from memory.scopes import SUPERSEDED
from memory.search.ranking import Ranked
from memory.search.snippets import make_snippet
from memory.search.types import SearchHit


class Shown(NamedTuple):
    """What is shown of a chunk and its record."""

    pk: int
    memory_id: int
    text: str
    line_start: int
    line_end: int
    uid: UUID
    scope: str
    kind: str
    domain: str
    title: str
    path: str
    observed_at: datetime
    superseded_at: datetime | None
    superseded_by: UUID | None


_COLUMNS = (
    "pk",
    "memory_id",
    "text",
    "line_start",
    "line_end",
    "memory__uid",
    "memory__scope",
    "memory__kind",
    "memory__domain",
    "memory__title",
    "memory__source_key",
    "memory__observed_at",
    "memory__superseded_at",
    "memory__superseded_by__uid",
)


def make_hits(
    chunks: ChunkQuerySet,
    ranked: Sequence[Ranked],
    *,
    terms: Sequence[QueryTerm],
    analyser: Analyser,
    now: datetime,
) -> list[SearchHit]:
    """Return the hits with citation, snippet and reasons, in three queries at most.

    They are asked for through the permitted queryset once more, so a record that was
    forgotten since it was ranked is not shown.
    """
    found = chunks.filter(pk__in=among(one.id for one in ranked))
    rows = {row[0]: Shown._make(row) for row in found.values_list(*_COLUMNS)}
    tags = _tags(row.memory_id for row in rows.values())
    return [
        _hit(rows[one.id], one, tags[rows[one.id].memory_id], terms, analyser, now)
        for one in ranked
        if one.id in rows
    ]


def _tags(memory_ids: Iterable[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    rows = MemoryTag.objects.filter(memory_id__in=among(memory_ids)).order_by("name")
    for memory_id, name in rows.values_list("memory_id", "name"):
        found[memory_id].append(name)
    return found


def _hit(
    row: Shown,
    ranked: Ranked,
    tags: list[str],
    terms: Sequence[QueryTerm],
    analyser: Analyser,
    now: datetime,
) -> SearchHit:
    snippet = make_snippet(row.text, terms, analyser)
    superseded = row.superseded_at is not None
    age_s = (now - row.observed_at).total_seconds()
    return SearchHit(
        id=row.uid,
        record=row.memory_id,
        scope=row.scope,
        kind=row.kind,
        domain=row.domain,
        tags=tuple(sorted([*tags, SUPERSEDED] if superseded else tags)),
        title=row.title,
        path=row.path or None,
        line_start=row.line_start,
        line_end=row.line_end,
        snippet=snippet.text,
        matches=snippet.matches,
        score=round(ranked.score, 4),
        parts={k: None if v is None else round(v, 4) for k, v in ranked.parts.items()},
        age_days=round(max(age_s, 0) / 86_400, 2),
        superseded=superseded,
        superseded_by=row.superseded_by,
    )
