"""Change a session: names and variables, confirmed or not, closed or open again."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.config import session_config
from goclaw.lib.errors import BadInput
from memory.drafts import check_json, check_text
from memory.lifecycle.confirming import verify
from memory.models import Session, SessionKind
from memory.runner import JobResult, JobRun
from memory.sessions.drafts import check_participants
from memory.sessions.extracting import (
    request_extraction,
    request_revision,
    sweep,
)
from memory.sessions.finding import find
from memory.sessions.people import gateway_key, named_people


def change(
    *,
    actor: Actor,
    uid: UUID,
    title: str | None = None,
    variables: dict[str, Any] | None = None,
    participants: Sequence[str] = (),
) -> Session:
    """Change what is given. Variables are merged by name, and null takes one away.

    `participants` are added, by a gateway's key that may name them.
    Raises BadInput, TooLarge, Forbidden or NotFound, and then changes nothing.
    """
    check_participants(participants)
    if title is not None:
        check_text("title", title, limit=200)
    find(actor=actor, uid=uid)
    others = []
    if participants:
        others = named_people(gateway_key(actor), participants)
    with transaction.atomic():
        session = find(actor=actor, uid=uid, for_update=True)
        if session.kind == SessionKind.DIRECT and any(
            person.pk != session.person_id for person in others
        ):
            raise BadInput(
                "A direct conversation is one person's alone.", field="participants"
            )
        if title is not None:
            session.title = title
        if variables:
            session.variables = _merged(session.variables, variables)
        session.save(update_fields=["title", "variables"])
        session.participants.add(*others)
    return session


def confirm(*, actor: Actor, uid: UUID) -> Session:
    """Note that it is certain who speaks, and so what was learned; again nothing."""
    with transaction.atomic():
        session = find(actor=actor, uid=uid, for_update=True)
        if not session.confirmed:
            session.confirmed = True
            session.save(update_fields=["confirmed"])
            if verify(str(session.uid)):
                request_revision(session)
    return session


def close(*, actor: Actor, uid: UUID) -> Session:
    """Note that the conversation has come to an end, and have it learned from."""
    with transaction.atomic():
        session = find(actor=actor, uid=uid, for_update=True)
        if session.closed_at is None:
            session.closed_at = timezone.now()
            session.save(update_fields=["closed_at"])
        request_extraction(session)
    return session


def close_idle(run: JobRun) -> JobResult:
    """Close the sessions in which nobody has said anything for a while.

    They are learned from like all that have come to an end.
    """
    now = timezone.now()
    quiet = now - timedelta(minutes=session_config().idle_minutes)
    idle = Session.objects.filter(closed_at=None, last_active_at__lte=quiet)
    closed = idle.update(closed_at=now)
    sweep()
    return JobResult({"closed": closed})


def _merged(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = {k: v for k, v in (before | changes).items() if v is not None}
    check_json("variables", merged)
    return merged
