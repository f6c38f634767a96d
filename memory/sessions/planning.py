"""When a session is trimmed, and how far."""

from collections.abc import Sequence
from itertools import accumulate

from accounts.actors import Actor
from goclaw.lib.config import session_config
from memory.models import Job, JobKind, JobState, Message, Session
from memory.queue import enqueue
from memory.sessions.turns import cut_points


def request_trim(
    session: Session, *, force: bool = False, started_by: Actor | None = None
) -> Job | None:
    """Queue a trim where one is due or forced; None where there is nothing to cut.

    A trim that is under way is returned instead of a second one. Call it last in a
    transaction that holds the session's row.
    """
    if session.trim_upto is not None:
        jobs = Job.objects.filter(kind=JobKind.TRIM, key=str(session.uid))
        live = jobs.in_state(JobState.RUNNING, JobState.QUEUED).first()
        return live or _queue(session, started_by)
    if not plan(session, force=force):
        return None
    return _queue(session, started_by)


def plan(session: Session, *, force: bool = False) -> bool:
    """Note how far the session is to be trimmed, if it is due; say whether it is.

    It is due when there are more messages or tokens than the settings allow. The older
    half goes: by count, and by tokens where these are too many.
    """
    config = session_config()
    heavy = session.tokens > config.max_tokens
    if not (force or heavy or session.message_count > config.max_messages):
        return False
    session.trim_upto = _boundary(session, by_tokens=heavy)
    session.save(update_fields=["trim_upto"])
    return session.trim_upto is not None


def _queue(session: Session, started_by: Actor | None) -> Job:
    uid = str(session.uid)
    return enqueue(
        JobKind.TRIM, key=uid, payload={"session": uid}, started_by=started_by
    )


def _boundary(session: Session, *, by_tokens: bool) -> int | None:
    """Return the position after which to cut: the last place within the older half.

    Where a single call with its results is more than half, the first place there is.
    """
    rows = session.messages.order_by("position")
    messages = list(rows.only("position", "call_position", "tokens"))
    points = cut_points(messages)
    if not points:
        return None
    half = session.trimmed_to + session.message_count // 2
    if by_tokens:
        half = max(half, _half_of_tokens(messages))
    return max((point for point in points if point <= half), default=points[0])


def _half_of_tokens(messages: Sequence[Message]) -> int:
    """Return the first position with which half of the tokens are passed."""
    passed = accumulate(message.tokens for message in messages)
    half = sum(message.tokens for message in messages) / 2
    return next(
        m.position for m, total in zip(messages, passed, strict=True) if total >= half
    )
