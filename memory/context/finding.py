"""Records that answer the message, by the one search there is."""

from dataclasses import dataclass

from goclaw.lib.errors import Unavailable
from memory.context import loading
from memory.context.loading import Asked, Stored
from memory.context.registry import Shown
from memory.search import SearchQuery, search
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS

WHOLE = 1_000
"""Characters up to which a record is shown whole, else by the passage that matches."""


@dataclass(frozen=True, slots=True)
class Found:
    """Records, best first; `why` says what has kept others from being found."""

    rows: tuple[Stored, ...] = ()
    why: str = ""


def search_records(
    asked: Asked,
    shown: Shown,
    *,
    scopes: tuple[str, ...],
    most: int,
    kinds: tuple[str, ...] = (),
) -> Found:
    """Return the best records of the scopes that are not shown yet."""
    text = asked.query.message[-MAX_QUERY_CHARS:]
    if not text.strip():
        return Found(why="the message has no text")
    limit = min(MAX_RESULTS, 2 * most + len(shown.records))
    wanted = SearchQuery(
        text=text,
        max_results=limit,
        scopes=scopes,
        kinds=kinds,
        noted=asked.query.noted,
    )
    try:
        answer = search(asked.actor, wanted)
    except Unavailable as error:
        return Found(why=error.message)
    passages: dict[int, str] = {}
    for hit in answer.hits:
        if hit.record not in shown.records:
            passages.setdefault(hit.record, hit.snippet)
    best = dict(list(passages.items())[:most])
    rows = loading.by_ids(asked, best, chars=WHOLE + 1)
    found = (rows[pk] for pk in best if pk in rows)
    return Found(
        tuple(
            row if row.length <= WHOLE else row._replace(text=best[row.id])
            for row in found
        ),
        why=answer.degraded.reason if answer.degraded else "",
    )
