"""Records that answer the message, by the one search there is.

What all share is asked for once and then divided; only when that leaves learned records
behind are they asked for by themselves. A person's own have a search of their own.
"""

from dataclasses import dataclass

from goclaw.lib.errors import Unavailable
from memory.context import loading
from memory.context.loading import Asked
from memory.context.registry import Shown
from memory.context.stored import Stored
from memory.scopes import LEARNED_KINDS, Scope
from memory.search import SearchQuery, search
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS

SHARED = (Scope.AGENT_NOTES, Scope.GLOBAL)
MOST_NOTES, MOST_LEARNED, MOST_PERSONAL = 5, 10, 5
WHOLE = 1_000
"""Characters up to which a record is shown whole, else by the passage that matches."""


@dataclass(frozen=True, slots=True)
class Found:
    """Records, best first; `why` says what has kept others from being found."""

    rows: tuple[Stored, ...] = ()
    why: str = ""


def matching_notes(asked: Asked, shown: Shown) -> Found:
    """Return the agent notes that match, but for what was learned."""
    found = _shared(asked, shown)
    notes = asked.spaces[Scope.AGENT_NOTES]
    rows = [r for r in found.rows if r.kind not in LEARNED_KINDS and r.space == notes]
    return Found(tuple(rows[:MOST_NOTES]), found.why)


def learned(asked: Asked, shown: Shown) -> Found:
    """Return the facts and preferences for all that match."""
    found = _shared(asked, shown)
    rows = tuple(row for row in found.rows if row.kind in LEARNED_KINDS)
    if len(rows) < MOST_LEARNED <= len(found.rows) and _has_learned(asked):
        wanted = {"scopes": SHARED, "kinds": LEARNED_KINDS}
        found = _found(asked, shown, most=MOST_LEARNED, **wanted)
        rows = found.rows
    return Found(rows[:MOST_LEARNED], found.why)


def personal(asked: Asked, shown: Shown) -> Found:
    """Return the person's own records that match."""
    return _found(asked, shown, scopes=(Scope.PERSONAL,), most=MOST_PERSONAL)


def _shared(asked: Asked, shown: Shown) -> Found:
    """Return what matches of all that is shared, asked for once."""
    if "shared" not in asked.memo:
        most = MOST_NOTES + MOST_LEARNED
        asked.memo["shared"] = _found(asked, shown, scopes=SHARED, most=most)
    found: Found = asked.memo["shared"]
    return found


def _has_learned(asked: Asked) -> bool:
    return any(
        asked.records.has_kind(asked.spaces[scope], kind)
        for scope in SHARED
        for kind in LEARNED_KINDS
    )


def _found(
    asked: Asked,
    shown: Shown,
    *,
    scopes: tuple[str, ...],
    most: int,
    kinds: tuple[str, ...] = (),
) -> Found:
    """Return the best records that are not shown yet."""
    text = asked.query.message[-MAX_QUERY_CHARS:]
    if not text.strip():
        return Found(why="the message has no text")
    wanted = SearchQuery(
        text=text,
        max_results=min(MAX_RESULTS, most + len(shown.records)),
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
    rows = loading.by_ids(asked, passages, chars=WHOLE)
    found = [rows[pk] for pk in passages if pk in rows]
    return Found(
        tuple(
            row if row.length <= WHOLE else row._replace(text=passages[row.id])
            for row in found
        ),
        why=answer.degraded.reason if answer.degraded else "",
    )
