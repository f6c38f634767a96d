"""Learn from messages that belong to no session, while the caller waits.

The model is asked before anything is stored, and outside of any transaction.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor, Conversation
from accounts.models import User
from goclaw.lib.config import model_config
from goclaw.lib.errors import TooLarge
from memory import access, llm
from memory.lifecycle.extraction import Picked, Place, pick, places_for, store
from memory.lifecycle.transcripts import Heard, parts_of
from memory.models import Memory, Role
from memory.sessions.drafts import MessageDraft, check_messages

MOST_PARTS = 4
"""Questions to the model that a caller waits for."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a model found in messages, with where it would go."""

    picked: Sequence[Picked]
    places: Mapping[int, Place]

    @property
    def dropped(self) -> dict[str, int]:
        """Return what the checks did not let through, by reason."""
        total = Counter[str]()
        for one in self.picked:
            total.update(one.dropped)
        return dict(total)


def listen(*, actor: Actor, drafts: Sequence[MessageDraft]) -> Told:
    """Return what is worth keeping of messages; stores nothing.

    A message of role `user` without another name is the acting person's.
    Raises BadInput, TooLarge, Forbidden, llm.ModelNotConfigured or llm.ModelFailed.
    """
    check_messages(drafts, now=timezone.now())
    access.can_teach(actor).require()
    model = llm.get_model()
    person = User.objects.get(pk=actor.user_id or 0)
    alone = actor.conversation is Conversation.DIRECT
    places = places_for([person], alone=alone)
    turns = [
        _heard(at, draft, person, is_placed=person.pk in places)
        for at, draft in enumerate(drafts)
    ]
    parts = list(parts_of(turns, max_chars=model_config().max_input_chars))
    if len(parts) > MOST_PARTS:
        raise TooLarge(
            f"This is more than the model takes in in {MOST_PARTS} parts.",
            code="messages_too_long",
            field="messages",
            remedy="Append them to a session, which is heard in parts.",
        )
    return Told([pick(model, part.lines) for part in parts], places)


def keep(told: Told, *, confirmed: bool = True) -> list[tuple[Memory, str]]:
    """Store what was found; return each record with what became of it."""
    with transaction.atomic():
        return store(
            [statement for one in told.picked for statement in one.statements],
            told.places,
            session="",
            run=uuid4().hex,
            confirmed=confirmed,
        )


def _heard(at: int, draft: MessageDraft, person: User, *, is_placed: bool) -> Heard:
    speaker = draft.speaker or draft.name
    theirs = speaker in {"", person.username}
    return Heard(
        position=at + 1,
        role=draft.role,
        text=draft.content if draft.role != Role.TOOL else "",
        at=draft.created_at or timezone.now(),
        zone=ZoneInfo(person.timezone),
        person=person.pk if theirs and is_placed else None,
        name=person.get_full_name() or person.username,
    )
