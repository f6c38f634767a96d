"""What agents say of the hits they were given: kept in the recall log, and counted."""

import uuid
from datetime import datetime
from typing import Any

from django.db.models import Count
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, NotFound
from memory import access
from memory.models import Feedback, Memory, RecallLog
from memory.search import recall


def give(*, actor: Actor, uid: Any, feedback: str) -> Memory:
    """Note that a hit was useful or wrong, on the last time the person was given it.

    A record that was read without a search gets a row of its own, of rank 0.
    Raises BadInput, and NotFound for what the actor may not read.
    """
    if feedback not in Feedback:
        raise BadInput(
            f"Unknown feedback {feedback!r}.",
            field="feedback",
            remedy=f"Use one of {', '.join(Feedback)}.",
        )
    memory = Memory.objects.readable_by(actor).live().filter(uid=uid).first()
    if memory is None:
        raise NotFound("There is no such record.", field="id")
    recall.flush()  # the hit may still wait to be written
    hits = RecallLog.objects.filter(memory=memory, user=actor.user_id)
    if hit := hits.order_by("-created_at", "-id").first():
        hit.feedback = feedback
        hit.save(update_fields=["feedback"])
    else:
        RecallLog.objects.create(
            search=uuid.uuid4(),
            memory=memory,
            rank=0,
            score=0,
            user_id=actor.user_id,
            run_kind=actor.run,
            feedback=feedback,
        )
    return memory


def count(actor: Actor, *, since: datetime | None = None) -> dict[str, int]:
    """Return how many hits were useful and wrong, of records the actor may read."""
    given = RecallLog.objects.filter(
        access.readable(actor, prefix="memory__"),
        access.live(timezone.now(), prefix="memory__"),
        feedback__gt="",
    )
    if since:
        given = given.filter(created_at__gt=since)
    counted = dict(given.order_by().values_list("feedback").annotate(n=Count("pk")))
    return {name: counted.get(name, 0) for name in Feedback.values}
