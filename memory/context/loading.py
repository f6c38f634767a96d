"""What the sections read: who asks in which conversation, and the records for it.

Every read of records starts with what the actor may read; only the agents'
configuration is read as the system, since it is written for their prompts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import BooleanField, Exists, F, OuterRef
from django.db.models.functions import Length, Substr
from django.utils import timezone

from accounts.actors import Actor, system_actor
from accounts.models import User
from goclaw.lib.config import ContextConfig, context_config
from goclaw.lib.errors import NotFound
from memory import access
from memory.context.types import ContextQuery
from memory.models import Agent, Memory, MemoryTag, Session, SessionKind, Space
from memory.models.memories import MemoryQuerySet
from memory.scopes import CRITICAL, UNVERIFIED, Scope
from memory.workspace import Unreadable, get_agent, read_text
from memory.workspace_files import root_of

MOST_RECENT = 300
"""Records that are looked at for a list which its cap cuts anyway."""


class Stored(NamedTuple):
    """A record as a section needs it; `text` is the beginning of a longer content."""

    id: int
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


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question for the prompt's memory, with all it is about.

    `person` is who is spoken with, None in autonomous runs. `personal` says whether
    their own records may be in the prompt. `began` is when the conversation did,
    without one the beginning of the day, so that the session part stays as it is.
    """

    actor: Actor
    query: ContextQuery
    agent: Agent
    session: Session | None
    person: User | None
    personal: bool
    now: datetime
    began: datetime
    zone: ZoneInfo
    config: ContextConfig

    @cached_property
    def spaces(self) -> dict[str, int]:
        """Return the ids of the shared spaces by scope."""
        found = Space.objects.filter(owner=None, path="")
        return dict(found.values_list("kind", "pk"))

    def cap(self, name: str) -> int:
        """Return the cap of a section."""
        return dict(self.config.caps)[name]


def asked(actor: Actor, query: ContextQuery) -> Asked:
    """Look up what a question names; raises NotFound for what is not there for one."""
    now, zone = timezone.now(), ZoneInfo(actor.timezone)
    session = _session(actor, query.session) if query.session else None
    today = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    alone = session is None or session.kind == SessionKind.DIRECT
    return Asked(
        actor=actor,
        query=query,
        agent=session.agent if session and not query.agent else get_agent(query.agent),
        session=session,
        person=_person(actor),
        personal=access.reads_personal(actor) and alone,
        now=now,
        began=session.created_at if session else today,
        zone=zone,
        config=context_config(),
    )


def _session(actor: Actor, uid: UUID) -> Session:
    """Return the conversation, if the actor's person takes part in it.

    A run that may not read it still learns when it began; its summary is for those
    only who read it.
    """
    mine = Session.objects.filter(participants=actor.user_id, uid=uid)
    session = mine.select_related("agent").first()
    if session is None:
        raise NotFound("There is no such session.", field="session")
    return session


def _person(actor: Actor) -> User | None:
    if actor.user_id is None or actor.is_autonomous:
        return None
    return User.objects.get(pk=actor.user_id)


def critical(asked: Asked) -> list[Stored]:
    """Return the agent notes tagged `critical`, oldest first."""
    found = _live(asked, Scope.AGENT_NOTES).filter(tags__name=CRITICAL)
    return _stored(asked, found.order_by("created_at", "id"))


def configuration(asked: Asked) -> list[Stored]:
    """Return the `agent_config` records, oldest first, whole."""
    found = Memory.objects.readable_by(system_actor()).live(asked.now).current()
    found = found.filter(space_id=asked.spaces[Scope.AGENT_CONFIG])
    return _stored(asked, found.order_by("created_at", "id"))


def count_notes(asked: Asked) -> int:
    """Return how many live agent notes there are."""
    return _live(asked, Scope.AGENT_NOTES).order_by().count()


def recent_global(asked: Asked) -> list[Stored]:
    """Return global records of the days before the conversation, oldest first."""
    since = asked.began - timedelta(days=asked.config.recent_days)
    found = _live(asked, Scope.GLOBAL).filter(created_at__gte=since)
    if asked.session:
        found = found.filter(created_at__lt=asked.began)
    return _newest(asked, found, asked.config.recent_chars)


def recent_personal(asked: Asked) -> list[Stored]:
    """Return the person's own newest records, oldest first; none where not allowed."""
    if not asked.personal:
        return []
    found = Memory.objects.readable_by(asked.actor).live(asked.now).current()
    own = Space.objects.filter(owner_id=asked.actor.user_id).values_list(
        "pk", flat=True
    )
    spaces = list(own)
    if not spaces:
        return []
    return _newest(asked, found.filter(space_id=spaces[0]), asked.config.recent_chars)


def by_ids(asked: Asked, ids: Iterable[int], *, chars: int) -> dict[int, Stored]:
    """Return readable live records by row, their texts cut after so many characters."""
    found = Memory.objects.readable_by(asked.actor).live(asked.now).current()
    rows = _stored(asked, found.filter(pk__in=list(ids)), chars=chars)
    return {row.id: row for row in rows}


def previous_context(asked: Asked) -> str:
    """Return the summary of what was trimmed, "" for whom it is not meant."""
    session = asked.session
    if session is None or not asked.personal or not session.summary:
        return ""
    readable = Session.objects.readable_by(asked.actor).filter(pk=session.pk)
    return session.summary if readable.exists() else ""


def newest_files(asked: Asked, limit: int) -> list[tuple[str, datetime]]:
    """Return the newest memory files of the agent: path, and when it was true."""
    found = _live(asked, Scope.WORKSPACE).mirrors().filter(agent=asked.agent.slug)
    below = found.filter(source_key__gt="memory/", source_key__lt="memory0")
    newest = below.order_by("-observed_at", "-source_key")
    return list(newest.values_list("source_key", "observed_at")[:limit])


def file_text(agent: Agent, *names: str) -> str:
    """Return the text of the first of the files that is there, "" without one.

    They lie at the top of the workspace. What cannot be read, or leads out of it,
    counts as not there.
    """
    root = root_of(agent)
    for name in names:
        place = root / name
        if not place.is_file() or not place.resolve().is_relative_to(root.resolve()):
            continue
        try:
            return read_text(place)
        except Unreadable:
            continue
    return ""


def _live(asked: Asked, scope: str) -> MemoryQuerySet:
    found = Memory.objects.readable_by(asked.actor).live(asked.now).current()
    return found.filter(space_id=asked.spaces[scope])


def _newest(asked: Asked, found: MemoryQuerySet, chars: int) -> list[Stored]:
    newest = found.order_by("-created_at", "-id")[:MOST_RECENT]
    return _stored(asked, newest, chars=chars + 1)[::-1]


def _stored(
    asked: Asked, found: MemoryQuerySet, *, chars: int | None = None
) -> list[Stored]:
    marks = MemoryTag.objects.filter(memory=OuterRef("pk"), name=UNVERIFIED)
    text: Any = F("content") if chars is None else Substr("content", 1, chars)
    rows = found.annotate(
        text=text,
        length=Length("content"),
        unverified=Exists(marks, output_field=BooleanField()),
    )
    stored = (Stored(*row) for row in rows.values_list(*Stored._fields))
    return [
        row._replace(observed_at=row.observed_at.astimezone(asked.zone))
        for row in stored
    ]
