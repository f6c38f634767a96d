"""What the sections read: who asks in which conversation, and the records for it.

The shared scopes are everybody's, and `agent_config` is for every prompt; what is a
person's own is read for them only, and what a search finds is filtered once more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.actors import Actor
from accounts.models import User
from goclaw.lib.config import ContextConfig, context_config
from goclaw.lib.errors import NotFound
from memory import access
from memory.context.stored import Records, Stored
from memory.context.types import ContextQuery
from memory.models import Agent, Memory, Session, SessionKind, Space
from memory.scopes import Scope
from memory.workspace import Unreadable, get_agent, read_text
from memory.workspace_files import root_of

MOST_RECENT = 100
"""Records that are looked at for a list which its cap cuts anyway."""


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
    memo: dict[str, Any] = field(default_factory=dict)
    """What was looked up for one section and serves another."""

    @cached_property
    def records(self) -> Records:
        """Return what reads the records."""
        return Records(self.now, self.zone)

    @cached_property
    def spaces(self) -> dict[str, int]:
        """Return the ids of the shared spaces that may be in the prompt, by scope."""
        readable = access.readable_space_ids(self.actor)
        found = Space.objects.filter(owner=None, path="").values_list("kind", "pk")
        for_prompts = {Scope.AGENT_CONFIG}
        return {s: pk for s, pk in found if pk in readable or s in for_prompts}

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
    return asked.records.tagged_critical(asked.spaces[Scope.AGENT_NOTES])


def configuration(asked: Asked) -> list[Stored]:
    """Return the `agent_config` records, oldest first, whole.

    They are written for prompts, whoever speaks with the agent: not for the actor.
    """
    return asked.records.all_of(asked.spaces[Scope.AGENT_CONFIG])


def count_notes(asked: Asked) -> int:
    """Return how many live agent notes there are, at most one above `COUNTED`."""
    return asked.records.count(asked.spaces[Scope.AGENT_NOTES])


def recent_global(asked: Asked) -> list[Stored]:
    """Return global records of the days before the conversation, oldest first."""
    since = asked.began - timedelta(days=asked.config.recent_days)
    until = asked.began if asked.session else _ever(asked)
    return _newest(asked, asked.spaces[Scope.GLOBAL], since, until)


def recent_personal(asked: Asked) -> list[Stored]:
    """Return the person's own newest records, oldest first; none where not allowed."""
    if not asked.personal:
        return []
    own = Space.objects.filter(owner_id=asked.actor.user_id).first()
    if own is None:
        return []
    return _newest(asked, own.pk, datetime(1, 1, 2, tzinfo=UTC), _ever(asked))


def by_ids(asked: Asked, ids: Iterable[int], *, chars: int) -> dict[int, Stored]:
    """Return readable records by row, their texts cut after so many characters."""
    spaces = access.readable_space_ids(asked.actor)
    return asked.records.by_ids(ids, spaces=spaces, chars=chars)


def previous_context(asked: Asked) -> str:
    """Return the summary of what was trimmed, "" for whom it is not meant."""
    session = asked.session
    if session is None or not asked.personal or not session.summary:
        return ""
    readable = Session.objects.readable_by(asked.actor).filter(pk=session.pk)
    return session.summary if readable.exists() else ""


def newest_files(asked: Asked, limit: int) -> list[tuple[str, datetime]]:
    """Return the newest memory files of the agent: path, and when it was true."""
    found = Memory.objects.readable_by(asked.actor).live(asked.now).mirrors()
    found = found.filter(space_id=asked.spaces[Scope.WORKSPACE], agent=asked.agent.slug)
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


def _newest(asked: Asked, space: int, since: datetime, until: datetime) -> list[Stored]:
    return asked.records.newest(
        space,
        since=since,
        until=until,
        most=MOST_RECENT,
        chars=asked.config.recent_chars + 1,
    )


def _ever(asked: Asked) -> datetime:
    """Return a moment after all that is written by now."""
    return asked.now + timedelta(days=1)
