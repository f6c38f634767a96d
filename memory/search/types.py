"""What goes into a search and what comes out of it."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

MAX_RESULTS = 50
MAX_QUERY_CHARS = 32_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A question with its filters; an empty filter lets everything pass.

    `max_results` and `min_score` of None take the settings'. All tags must be there;
    `since` and `until` bound `observed_at`; `path_prefix` compares whole segments.
    """

    text: str
    max_results: int | None = None
    min_score: float | None = None
    scopes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    agent: str | None = None
    path_prefix: str | None = None
    include_history: bool = False
    min_importance: int = 1
    keyed: bool | None = None
    """Only keyed facts, or only what is none."""
    noted: bool = True
    """Whether the recall log notes the hits; not for a mere look at them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A chunk that answers the question, with its place, score and reasons.

    `id` is the record's public id, `record` its row.
    `matches` are (start, end) offsets within the snippet. `score` is the relevance
    (0..1) after decay; `parts` says where it comes from.
    """

    id: UUID
    record: int
    scope: str
    kind: str
    domain: str
    tags: tuple[str, ...]
    title: str
    path: str | None
    line_start: int
    line_end: int
    snippet: str
    matches: tuple[tuple[int, int], ...]
    score: float
    parts: dict[str, float | None]
    age_days: float
    superseded: bool
    superseded_by: UUID | None

    @property
    def citation(self) -> str:
        """Return where it stands: path or record id, with the lines."""
        place = self.path or str(self.id)
        if self.line_start == self.line_end:
            return f"{place}#L{self.line_start}"
        return f"{place}#L{self.line_start}-L{self.line_end}"


@dataclass(frozen=True, slots=True)
class Degraded:
    """Why an answer is worse than it could be, and what to do."""

    reason: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The hits, best first, and how they were found.

    `mode` is `hybrid`, or `keyword` without a model; `pending` counts the readable
    records that are not fully indexed yet; `timings_ms` has the time of each step.
    """

    hits: tuple[SearchHit, ...]
    mode: str
    took_ms: float
    pending: int
    degraded: Degraded | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)
