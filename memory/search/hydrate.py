"""Turn ranked chunks into what a person or an agent reads."""

from collections.abc import Sequence
from datetime import datetime

from memory.scopes import SUPERSEDED
from memory.search import rows
from memory.search.ranking import Ranked
from memory.search.rows import Shown
from memory.search.snippets import Marker
from memory.search.types import SearchHit


def make_hits(
    ranked: Sequence[Ranked], *, marker: Marker, now: datetime
) -> list[SearchHit]:
    """Return the hits with citation, snippet and reasons, in two statements."""
    found = rows.shown((one.id for one in ranked), now)
    tags = rows.tags({row.record for row in found.values()})
    return [
        _hit(found[one.id], one, tags.get(found[one.id].record, []), marker)
        for one in ranked
        if one.id in found
    ]


def _hit(row: Shown, ranked: Ranked, tags: list[str], marker: Marker) -> SearchHit:
    snippet = marker.snippet(row.text)
    return SearchHit(
        id=row.uid,
        record=row.record,
        scope=row.scope,
        kind=row.kind,
        domain=row.domain,
        tags=tuple(sorted([*tags, SUPERSEDED] if row.superseded else tags)),
        title=row.title,
        path=row.path or None,
        line_start=row.line_start,
        line_end=row.line_end,
        snippet=snippet.text,
        matches=snippet.matches,
        score=round(ranked.score, 4),
        parts={k: None if v is None else round(v, 4) for k, v in ranked.parts.items()},
        age_days=round(max(row.age_days, 0), 2),
        superseded=row.superseded,
        superseded_by=row.superseded_by,
    )
