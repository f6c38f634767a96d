"""What a gateway hands over, checked before anything is stored. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from goclaw.lib.errors import BadInput, TooLarge
from memory.drafts import check_json, check_text

MAX_MESSAGE_BYTES = 256 * 1024
MAX_MESSAGES_AT_ONCE = 500
MAX_PARTICIPANTS = 200
CLOCK_SKEW = timedelta(minutes=5)
"""By how much a gateway's clock may be ahead of ours."""

ROLES = ("user", "assistant", "system", "tool")
_LIMITS = {"name": 100, "client_id": 128, "tool_name": 128, "tool_call_id": 128}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDraft:
    """A session to open. Without a `kind` it is as the actor's conversation is."""

    agent: str | None = None
    conversation: str = ""
    kind: str | None = None
    participants: Sequence[str] = ()
    """Usernames or `<channel>:<account>:<sender>`, beside the acting person."""
    title: str = ""
    confirmed: bool = True
    variables: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDraft:
    """A message to append."""

    role: str
    content: str = ""
    speaker: str | None = None
    """The username of a participant; for role `user` the acting person without it."""
    name: str = ""
    client_id: str = ""
    tool_name: str = ""
    tool_call_id: str = ""
    tool_calls: Sequence[Any] = ()
    created_at: datetime | None = None


def check_session(draft: SessionDraft) -> None:
    """Raise `BadInput` (or `TooLarge`) for the first thing that is wrong."""
    check_text("conversation", draft.conversation, limit=200)
    check_text("title", draft.title, limit=200)
    check_json("variables", draft.variables)
    check_participants(draft.participants)


def check_participants(names: Sequence[str]) -> None:
    """Refuse too many people; whether they exist is asked later."""
    if len(names) > MAX_PARTICIPANTS:
        raise BadInput(
            f"A session takes {MAX_PARTICIPANTS} participants.", field="participants"
        )


def check_messages(drafts: Sequence[MessageDraft], *, now: datetime) -> None:
    """Refuse too many at a time, and what `check_each` refuses."""
    if not 1 <= len(drafts) <= MAX_MESSAGES_AT_ONCE:
        raise BadInput(
            f"Send 1 to {MAX_MESSAGES_AT_ONCE} messages at a time.", field="messages"
        )
    check_each(drafts, now=now, field="messages")


def check_each(drafts: Sequence[MessageDraft], *, now: datetime, field: str) -> None:
    """Raise `BadInput` (or `TooLarge`), naming the place of the message at fault."""
    for at, draft in enumerate(drafts):
        try:
            _check_message(draft, now)
        except (BadInput, TooLarge) as error:
            error.field = f"{field}.{at}.{error.field}"
            raise


def _check_message(draft: MessageDraft, now: datetime) -> None:
    if draft.role not in ROLES:
        raise BadInput(
            f"Unknown role {draft.role!r}.",
            field="role",
            remedy=f"Use one of {', '.join(ROLES)}.",
        )
    check_text("content", draft.content)
    if draft.speaker:
        check_text("speaker", draft.speaker, limit=150)
    for name, limit in _LIMITS.items():
        check_text(name, getattr(draft, name), limit=limit)
    if not (draft.content.strip() or draft.tool_calls or draft.role == "tool"):
        raise BadInput("The content is empty.", code="empty_content", field="content")
    size = len(draft.content.encode())
    if size > MAX_MESSAGE_BYTES:
        raise TooLarge(
            f"The content has {size:,} bytes; a message takes {MAX_MESSAGE_BYTES:,}.",
            field="content",
            remedy="Keep the whole in a file, and send its beginning.",
        )
    check_json("tool_calls", list(draft.tool_calls))
    if draft.created_at and draft.created_at > now + CLOCK_SKEW:
        raise BadInput("created_at lies in the future.", field="created_at")
