"""`memory_search`: the one search over everything readable."""

from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import Field

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Unavailable
from memory.search import SearchQuery, search
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS
from memory.tools import hits
from memory.tools.base import Arguments, Tool, ToolResult
from memory.tools.registry import register
from memory.tools.words import AnyKind, AnyScope, Domain, Tag


class Question(Arguments):
    """What to look for; filters are seldom needed."""

    query: str = Field(
        min_length=1,
        max_length=MAX_QUERY_CHARS,
        description="What to find: a question or some words, in any language.",
    )
    max_results: int | None = Field(
        None, ge=1, le=MAX_RESULTS, description="How many results at most."
    )
    min_score: float | None = Field(
        None, ge=0, le=1, description="Leave out results that are less relevant."
    )
    scopes: list[AnyScope] = Field([], description="Only these places.")
    kinds: list[AnyKind] = Field([], description="Only records of these kinds.")
    domains: list[Domain] = Field([], description="Only these topics.")
    tags: list[Tag] = Field([], description="Only records with all of these tags.")
    since: datetime | None = Field(None, description="Only what is newer: a date.")
    until: datetime | None = Field(None, description="Only what is older: a date.")
    path_prefix: str | None = Field(
        None, max_length=512, description="Only files or pages below this path."
    )
    include_history: bool = Field(
        False, description="Also records that newer ones have replaced."
    )


def run(actor: Actor, asked: Question) -> ToolResult:
    """Search; say so honestly where that was not possible."""
    since, until = _zoned(asked.since, actor), _zoned(asked.until, actor)
    if since and until and since >= until:
        raise BadInput("until must be after since.", field="until")
    query = SearchQuery(
        text=asked.query,
        max_results=asked.max_results,
        min_score=asked.min_score,
        scopes=tuple(asked.scopes),
        kinds=tuple(asked.kinds),
        domains=tuple(asked.domains),
        tags=tuple(asked.tags),
        since=since,
        until=until,
        path_prefix=asked.path_prefix,
        include_history=asked.include_history,
    )
    try:
        answer = search(actor, query)
    except Unavailable as error:
        return hits.unavailable(error)
    return hits.told(answer, more="Read more of one with memory_get.")


def _zoned(moment: datetime | None, actor: Actor) -> datetime | None:
    """Return the time in the actor's zone where it names none."""
    if moment is None or moment.tzinfo:
        return moment
    return moment.replace(tzinfo=ZoneInfo(actor.timezone))


register(
    Tool(
        name="memory_search",
        description="Search everything that is remembered: notes, facts, decisions,"
        " preferences, workspace files, wiki pages and their attachments. Use it before"
        " you answer anything about people, projects, earlier talks, decisions, rules"
        " or systems. Each result has an id and a citation to quote.",
        example='{"query": "When do we deploy?", "max_results": 5}',
        arguments=Question,
        run=run,
    )
)
