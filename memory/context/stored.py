"""The records of a prompt, by plain statements: several for each turn of everybody's.

A statement names the spaces it reads; who calls it passes those that may be read.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple
from uuid import UUID

from goclaw.lib import sql
from memory.models.ids import ids_sql, packed
from memory.scopes import CRITICAL, UNVERIFIED

COUNTED = 1_000
"""Records up to which a hint has their exact number."""

_LIVE = """
m.forgotten_at IS NULL AND m.superseded_at IS NULL
AND (m.expires_at IS NULL OR m.expires_at > %s)
"""
_SELECT = """
SELECT m.id, m.space_id, m.uid, m.kind, m.domain, m.key, m.created_at, m.observed_at,
    substr(m.content, 1, %s) AS beginning, length(m.content) AS length,
    EXISTS (
        SELECT 1 FROM memory_tags t WHERE t.memory_id = m.id AND t.name = %s
    ) AS unverified
"""
# The order of the joined tables is told: the tag is rare, its records are few.
_TAGGED = f"""
{_SELECT} FROM memory_tags tag CROSS JOIN memories m
WHERE tag.name = %s AND m.id = tag.memory_id AND m.space_id = %s AND {_LIVE}
ORDER BY m.created_at, m.id
"""
_ALL = f"""
{_SELECT} FROM memories m WHERE m.space_id = %s AND {_LIVE}
ORDER BY m.created_at, m.id
"""
_NEWEST = f"""
{_SELECT} FROM memories m
WHERE m.space_id = %s AND m.created_at >= %s AND m.created_at < %s AND {_LIVE}
ORDER BY m.created_at DESC, m.id DESC LIMIT %s
"""
_BY_ID = f"""
{_SELECT} FROM memories m
WHERE m.id IN ({{ids}}) AND +m.space_id IN ({{ids}}) AND {_LIVE}
"""
_COUNT = f"""
SELECT count(*) FROM (
    SELECT 1 FROM memories m WHERE m.space_id = %s AND {_LIVE} LIMIT %s
) counted
"""
_ANY_OF_KIND = f"""
SELECT 1 FROM memories m WHERE m.space_id = %s AND m.kind = %s AND {_LIVE} LIMIT 1
"""
_WHOLE = 2**31 - 1


class Stored(NamedTuple):
    """A record as a section needs it; `text` is the beginning of a longer content."""

    id: int
    space: int
    uid: UUID
    kind: str
    domain: str
    key: str
    text: str
    length: int
    created_at: datetime
    observed_at: datetime
    """In the person's zone."""
    unverified: bool


class Records:
    """Reads live, current records as of a moment, their times in a zone."""

    def __init__(self, now: datetime, zone: tzinfo) -> None:
        self._now, self._zone = sql.moment(now), zone

    def tagged_critical(self, space: int) -> list[Stored]:
        """Return the records tagged `critical`, oldest first."""
        head = (_WHOLE, UNVERIFIED, CRITICAL)
        return self._rows(_TAGGED, *head, space, self._now)

    def all_of(self, space: int) -> list[Stored]:
        """Return all records of a space, oldest first."""
        return self._rows(_ALL, _WHOLE, UNVERIFIED, space, self._now)

    def newest(
        self, space: int, *, since: datetime, until: datetime, most: int, chars: int
    ) -> list[Stored]:
        """Return the newest records written in a time, oldest first, texts cut."""
        span = (sql.moment(since), sql.moment(until))
        head = (chars, UNVERIFIED, space)
        return self._rows(_NEWEST, *head, *span, self._now, most)[::-1]

    def by_ids(
        self, ids: Iterable[int], *, spaces: Iterable[int], chars: int
    ) -> dict[int, Stored]:
        """Return records by row, texts cut; those of other spaces are left out."""
        statement = _BY_ID.format(ids=ids_sql())
        head = (chars, UNVERIFIED, packed(ids), packed(spaces))
        return {row.id: row for row in self._rows(statement, *head, self._now)}

    def count(self, space: int) -> int:
        """Return how many there are in a space, at most one above `COUNTED`."""
        [(count,)] = sql.rows(_COUNT, space, self._now, COUNTED + 1)
        return int(count)

    def has_kind(self, space: int, kind: str) -> bool:
        """Say whether a space has a record of the kind."""
        return bool(sql.rows(_ANY_OF_KIND, space, kind, self._now))

    def _rows(self, statement: str, *params: Any) -> list[Stored]:
        return [self._stored(*row) for row in sql.rows(statement, *params)]

    def _stored(self, pk: int, space: int, uid: Any, *texts: Any) -> Stored:
        """Return a row, its id and times from what the database keeps them as."""
        kind, domain, key, created_at, observed_at, text, length, unverified = texts
        return Stored(
            id=pk,
            space=space,
            uid=sql.as_uuid(uid),
            kind=kind,
            domain=domain,
            key=key,
            text=text,
            length=length,
            created_at=_moment(created_at),
            observed_at=_moment(observed_at).astimezone(self._zone),
            unverified=bool(unverified),
        )


def _moment(value: Any) -> datetime:
    """Return a time, which SQLite keeps as text in UTC."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime.fromisoformat(value).replace(tzinfo=UTC)
