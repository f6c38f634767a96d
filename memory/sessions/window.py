"""The newest turns of a session that fit a limit, and what is known of the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from uuid import UUID

from accounts.actors import Actor
from memory.models import Message, Session
from memory.sessions.finding import find
from memory.sessions.turns import cut_points

MAX_MESSAGES = 1000


@dataclass(frozen=True, slots=True)
class Window:
    """The newest messages, oldest first, and the summary of what was trimmed.

    `tokens` are theirs; `skipped` messages lie between the trimmed part and them.
    """

    session: Session
    messages: Sequence[Message]
    tokens: int
    skipped: int


def window(
    *, actor: Actor, uid: UUID, max_messages: int, max_tokens: int | None
) -> Window:
    """Return the newest turns that fit; a call and its results stay together.

    It is empty when not even the newest turn fits.
    """
    session = find(actor=actor, uid=uid)
    newest = list(
        session.messages.select_related("speaker").order_by("-position")[
            : max_messages + 1
        ]
    )[::-1]
    chosen = _fitting(newest, max_messages, max_tokens)
    first = chosen[0].position if chosen else session.last_position + 1
    return Window(
        session=session,
        messages=chosen,
        tokens=sum(message.tokens for message in chosen),
        skipped=first - session.trimmed_to - 1,
    )


def _fitting(
    newest: Sequence[Message], max_messages: int, max_tokens: int | None
) -> Sequence[Message]:
    """Return the longest end of the list that is within the limits and parts nothing.

    One message more than the limit is given, unless there are no more.
    """
    starts = [0] if len(newest) <= max_messages else []
    first = newest[0].position if newest else 0
    starts += [point - first + 1 for point in cut_points(newest)]
    tokens = [*accumulate(message.tokens for message in reversed(newest))][::-1]
    for start in starts:
        if start == len(newest) or len(newest) - start > max_messages:
            continue
        if max_tokens is None or tokens[start] <= max_tokens:
            return newest[start:]
    return []
