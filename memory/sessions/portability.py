"""Sessions as JSON, in and out: `{id, history, context: {variables}, metadata}`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Conflict
from memory.models import Session
from memory.sessions import archiving, indexing
from memory.sessions.drafts import (
    CLOCK_SKEW,
    MessageDraft,
    SessionDraft,
    check_each,
)
from memory.sessions.finding import find
from memory.sessions.planning import request_trim
from memory.sessions.turns import Turn
from memory.sessions.writing import add, open_session

MAX_HISTORY = 20_000

_EXACT = ("name", "client_id", "tool_name", "tool_call_id", "tool_calls")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A conversation from elsewhere: its name there, and all of its turns."""

    id: str
    history: list[MessageDraft]
    created: datetime | None = None
    last_active: datetime | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """The session of an import, and how many messages were new to it."""

    session: Session
    created: bool
    added: int


def export_session(*, actor: Actor, uid: UUID) -> dict[str, Any]:
    """Return the whole conversation, what is archived included."""
    session = find(actor=actor, uid=uid)
    live = session.messages.select_related("speaker").order_by("position")
    turns = archiving.load(session)
    known = {turn.position for turn in turns}
    rows = (archiving.turn_of(message) for message in live)
    turns += [turn for turn in rows if turn.position not in known]
    return {
        "id": str(session.uid),
        "history": [_item(turn) for turn in turns],
        "context": {"variables": session.variables},
        "metadata": {
            "created": _time(session.created_at),
            "lastActive": _time(session.last_active_at),
        },
    }


def import_session(*, actor: Actor, draft: SessionDraft, file: SessionFile) -> Imported:
    """Store a conversation from elsewhere; again adds only what it has grown by.

    Its id names the conversation; where it is the id of a session that the actor reads,
    that one is continued. Raises BadInput, TooLarge, Forbidden or NotFound, Conflict
    where the session that is there is another one, and then changes nothing.
    """
    now = timezone.now()
    if not file.id.strip():
        raise BadInput("The conversation needs an id.", field="id")
    check_each(file.history, now=now, field="history")
    for name, at in (("created", file.created), ("lastActive", file.last_active)):
        if at and at > now + CLOCK_SKEW:
            raise BadInput("It lies in the future.", field=f"metadata.{name}")
    with transaction.atomic():
        session, created = _session_of(actor, draft, file)
        session = find(actor=actor, uid=session.uid, for_update=True)
        new = file.history[session.last_position :]
        _check_same(session, file)
        words = indexing.prepare([message.content for message in new])
        add(actor=actor, session=session, drafts=new, words=words)
        if created:
            session.created_at = file.created or now
            session.last_active_at = file.last_active or now
            session.save(update_fields=["created_at", "last_active_at"])
        request_trim(session)
    return Imported(session, created, len(new))


def _session_of(
    actor: Actor, draft: SessionDraft, file: SessionFile
) -> tuple[Session, bool]:
    """Return the session to import into, and whether it is new."""
    uid = _uuid(file.id)
    mine = Session.objects.readable_by(actor).filter(uid=uid) if uid else None
    if mine is not None and (session := mine.first()):
        return session, False
    opened = open_session(actor=actor, draft=draft)
    if opened.created and uid and not Session.objects.filter(uid=uid).exists():
        opened.session.uid = uid
        opened.session.save(update_fields=["uid"])
    return opened.session, opened.created


def _check_same(session: Session, file: SessionFile) -> None:
    """Refuse a history that says otherwise than what is stored already."""
    last = session.messages.order_by("-position").first()
    if last is None:
        return
    stored = file.history[last.position - 1 : last.position]
    if [(m.role, m.content) for m in stored] not in ([], [(last.role, last.content)]):
        raise Conflict(
            "The session that is there has other messages.",
            code="session_differs",
            field="history",
            remedy="Import it under another id.",
        )


def _item(turn: Turn) -> dict[str, Any]:
    extra: Mapping[str, Any] = {name: getattr(turn, name) for name in _EXACT}
    return {
        "role": turn.role,
        "content": turn.content,
        "created_at": _time(turn.created_at),
        **({"speaker": turn.speaker} if turn.speaker else {}),
        **{name: value for name, value in extra.items() if value},
    }


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
