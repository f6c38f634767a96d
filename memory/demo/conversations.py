"""Hold the sample's conversations as its people and their agents would have."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from accounts.actors import Conversation, actor_for_key
from accounts.models import ApiKey, User
from memory.models import Session
from memory.sessions.changing import close
from memory.sessions.drafts import MessageDraft, SessionDraft
from memory.sessions.writing import append, open_session

PAUSE = timedelta(minutes=1)
"""Between two messages."""


def hold(
    talk: Mapping[str, Any],
    *,
    people: Mapping[str, User],
    gateway: ApiKey,
    loaded: datetime,
) -> None:
    """Open a session, append its messages, and close it."""
    actor = actor_for_key(
        gateway,
        conversation=Conversation(talk["conversation"]),
        user_name=people[talk["by"]].username,
    )
    draft = SessionDraft(title=talk["title"], participants=talk.get("with", ()))
    session = open_session(actor=actor, draft=draft).session
    begun = _begun(talk, loaded)
    drafts = [
        MessageDraft(role=role, content=text, created_at=begun + number * PAUSE, **more)
        for number, (role, text, more) in enumerate(map(_message, talk["messages"]))
    ]
    append(actor=actor, uid=session.uid, drafts=drafts)
    close(actor=actor, uid=session.uid)
    ended = begun + len(drafts) * PAUSE
    Session.objects.filter(pk=session.pk).update(
        created_at=begun, last_active_at=ended, closed_at=ended
    )


def _begun(talk: Mapping[str, Any], loaded: datetime) -> datetime:
    day = loaded.astimezone(UTC).date() - timedelta(days=talk["days_ago"])
    return datetime.combine(day, time.fromisoformat(talk["at"]), UTC)


def _message(said: list[Any]) -> tuple[str, str, dict[str, Any]]:
    role, text, *more = said
    return role, text, more[0] if more else {}
