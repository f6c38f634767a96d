"""Open sessions and append to them: each message once, in the order of acceptance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from accounts.kinds import Conversation
from accounts.models import ApiKey, User
from goclaw.lib.errors import BadInput, Forbidden
from memory import access
from memory.lifecycle.transcripts import is_command
from memory.locks import lock
from memory.models import Agent, Message, Role, Session, SessionKind
from memory.sessions import commands, indexing
from memory.sessions.drafts import (
    MessageDraft,
    SessionDraft,
    check_messages,
    check_session,
)
from memory.sessions.finding import find
from memory.sessions.people import gateway_key, named_people
from memory.sessions.planning import request_trim
from memory.sessions.turns import token_estimate
from memory.workspace import get_agent

CALLS_SOUGHT_IN = 200
"""How many messages back a result's call is looked for."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The session of a conversation; `created` when it was not known before."""

    session: Session
    created: bool


@dataclass(frozen=True, slots=True)
class Accepted:
    """Where a message stands; `deduplicated` when it was stored before."""

    position: int
    client_id: str
    deduplicated: bool


def open_session(*, actor: Actor, draft: SessionDraft) -> Opened:
    """Open a session, or return the one of the gateway's conversation.

    A direct one is the acting person's alone. Whoever opens a shared one that is there
    already takes part in it from then on.
    Raises BadInput, Forbidden or NotFound (the agent), and then changes nothing.
    """
    check_session(draft)
    key = gateway_key(actor)
    kind = _kind(actor, draft)
    others = named_people(key, draft.participants)
    if kind == SessionKind.DIRECT and any(o.pk != actor.user_id for o in others):
        raise BadInput(
            "A direct conversation is one person's alone.",
            field="participants",
            remedy="Open it as shared.",
        )
    agent = get_agent(draft.agent)
    with transaction.atomic():
        if draft.conversation:
            lock(("conversation", key.pk, agent.pk, draft.conversation))
            if session := _known(actor, key, agent, kind, draft.conversation):
                _take_part(session, actor, others)
                return Opened(session, created=False)
        session = Session.objects.create(
            agent=agent,
            kind=kind,
            person_id=actor.user_id if kind == SessionKind.DIRECT else None,
            key=key,
            conversation=draft.conversation,
            title=draft.title,
            confirmed=draft.confirmed,
            variables=draft.variables,
        )
        _take_part(session, actor, others)
    return Opened(session, created=True)


def append(
    *, actor: Actor, uid: UUID, drafts: Sequence[MessageDraft]
) -> list[Accepted]:
    """Append messages, all or none; one whose `client_id` is known stays as it was.

    A message that begins with `@notes:` or `@config:` is also a write, for those who
    may. A closed session is open again. Where it grows over its limits, a trim is
    queued.
    Raises BadInput, TooLarge, Forbidden or NotFound, and then changes nothing.
    """
    now = timezone.now()
    check_messages(drafts, now=now)
    find(actor=actor, uid=uid)
    access.can_append(actor).require()
    words = indexing.prepare([draft.content for draft in drafts])
    with transaction.atomic():
        session = find(actor=actor, uid=uid, for_update=True)
        accepted = add(actor=actor, session=session, drafts=drafts, words=words)
        commands.obey(actor=actor, session=session, places=_commands(drafts, accepted))
        request_trim(session)
    return accepted


def add(
    *,
    actor: Actor,
    session: Session,
    drafts: Sequence[MessageDraft],
    words: Sequence[indexing.Words],
) -> list[Accepted]:
    """Store checked messages in a transaction that holds the session's row."""
    now = timezone.now()
    known = _positions_of(session, drafts)
    speakers = _speakers(actor, session, drafts)
    accepted: list[Accepted] = []
    new: list[Message] = []
    new_words: list[indexing.Words] = []
    for draft, its_words in zip(drafts, words, strict=True):
        position = known.get(draft.client_id) if draft.client_id else None
        deduplicated = position is not None
        if position is None:
            position = session.last_position + len(new) + 1
            known[draft.client_id] = position
            speaker_id = _speaker_of(actor, session, draft, speakers)
            new.append(_message(session, position, draft, speaker_id, now))
            new_words.append(its_words)
        accepted.append(Accepted(position, draft.client_id, deduplicated))
    if new:
        _store(session, new, now)
        indexing.enter(list(zip(new, new_words, strict=True)))
    return accepted


def _commands(
    drafts: Sequence[MessageDraft], accepted: Sequence[Accepted]
) -> dict[int, int]:
    """Return the positions of new messages that are commands, with their places."""
    return {
        one.position: at
        for at, (draft, one) in enumerate(zip(drafts, accepted, strict=True))
        if is_command(draft.content) and not one.deduplicated
    }


def _kind(actor: Actor, draft: SessionDraft) -> str:
    """Return the kind of the session: never more private than the conversation is."""
    kind = draft.kind or actor.conversation.value
    if kind not in SessionKind:
        raise BadInput(f"Unknown kind {kind!r}.", field="kind")
    if kind == SessionKind.DIRECT and actor.conversation is Conversation.SHARED:
        raise BadInput(
            "The request says that the conversation is shared.",
            field="kind",
            remedy="Send X-GoClaw-Conversation: direct if it is one person's alone.",
        )
    return kind


def _known(
    actor: Actor, key: ApiKey, agent: Agent, kind: str, conversation: str
) -> Session | None:
    found = Session.objects.filter(
        key=key, agent=agent, kind=kind, conversation=conversation
    )
    if kind == SessionKind.DIRECT:
        found = found.filter(person_id=actor.user_id)
    return found.select_related("agent", "person").first()


def _take_part(session: Session, actor: Actor, others: Sequence[User]) -> None:
    ids = {person.pk for person in others} | {actor.user_id}
    session.participants.add(*(pk for pk in ids if pk is not None))


def _positions_of(session: Session, drafts: Sequence[MessageDraft]) -> dict[str, int]:
    """Return where messages stand that were stored before, by their client ids."""
    ids = {draft.client_id for draft in drafts if draft.client_id}
    found: dict[str, int] = {}
    for stored in (session.trimmed_messages, session.messages):
        rows = stored.filter(client_id__in=ids)
        found |= dict(rows.values_list("client_id", "position"))
    return found


def _speakers(
    actor: Actor, session: Session, drafts: Sequence[MessageDraft]
) -> dict[str, int]:
    """Return the ids of the named speakers, all of whom take part."""
    names = {draft.speaker for draft in drafts if draft.speaker}
    rows = session.participants.filter(username__in=names)
    found = dict(rows.values_list("username", "pk"))
    if missing := sorted(names - found.keys()):
        raise BadInput(
            f"{missing[0]!r} takes no part in this session.",
            field="speaker",
            remedy="Add them to the participants first.",
        )
    others = any(pk != actor.user_id for pk in found.values())
    if others and not gateway_key(actor).may_act_for_others:
        raise Forbidden("This key speaks for its owner only.", field="speaker")
    return found


def _speaker_of(
    actor: Actor, session: Session, draft: MessageDraft, speakers: dict[str, int]
) -> int | None:
    """Return who said a message; in doubt nobody, since learning depends on it."""
    if draft.speaker:
        return speakers[draft.speaker]
    if draft.role != Role.USER:
        return None
    somebody_else = session.kind == SessionKind.SHARED and draft.name
    return None if somebody_else else actor.user_id


def _message(
    session: Session,
    position: int,
    draft: MessageDraft,
    speaker_id: int | None,
    now: datetime,
) -> Message:
    return Message(
        session=session,
        position=position,
        role=draft.role,
        speaker_id=speaker_id,
        name=draft.name,
        client_id=draft.client_id,
        content=draft.content,
        tool_name=draft.tool_name,
        tool_call_id=draft.tool_call_id,
        tool_calls=list(draft.tool_calls),
        tokens=token_estimate(draft.content, draft.tool_calls),
        created_at=draft.created_at or now,
    )


def _store(session: Session, messages: Sequence[Message], now: datetime) -> None:
    """Store new messages, whose positions follow on the last one, and count them."""
    _find_calls(session, messages)
    Message.objects.bulk_create(messages)
    session.last_position = messages[-1].position
    session.tokens += sum(message.tokens for message in messages)
    session.last_active_at = now
    session.closed_at = None
    fields = ["last_position", "tokens", "last_active_at", "closed_at"]
    session.save(update_fields=fields)


def _find_calls(session: Session, messages: Sequence[Message]) -> None:
    """Note at each result where its call stands.

    That is the message that names the call's id, else the last one that is no result.
    """
    if not any(message.role == Role.TOOL for message in messages):
        return
    before = session.messages.order_by("-position")[:CALLS_SOUGHT_IN]
    calls: dict[str, int] = {}
    last: int | None = None
    for message in [*reversed(before), *messages]:
        if message.role != Role.TOOL:
            last = message.position
            for call in message.tool_calls:
                if isinstance(call, dict) and call.get("id"):
                    calls[str(call["id"])] = message.position
        elif message.call_position is None:
            message.call_position = calls.get(message.tool_call_id, last)
