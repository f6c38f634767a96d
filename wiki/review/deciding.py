"""The decisions of a reviewer, whatever the item is about.

Each looks at the item once more: whether it is there for the actor, still waits, and
says what they were shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Conflict, GoClawError, NotFound
from memory.drafts import check_text
from memory.models import ReviewItem, ReviewState
from wiki.review import page_drafts, rebasing, records
from wiki.review.access import can_review, item_for
from wiki.review.outcomes import MAX_REASON, Seen, held, require_pending


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one item of several; `problem` is None for one that is done."""

    item: ReviewItem
    problem: GoClawError | None = None


def shown(*, actor: Actor, uid: Any) -> ReviewItem:
    """Return an item as it can be decided about now. Raises NotFound."""
    item = item_for(actor, uid)
    if item.is_page:
        return rebasing.brought_up_to_date(item)
    return records.brought_up_to_date(item)


def approve(
    *, actor: Actor, uid: Any, seen: Seen, body: str | None = None, reason: str = ""
) -> ReviewItem:
    """Publish a draft of a page, or confirm a decision about records.

    `body` is what the reviewer has made of a draft. Raises NotFound, Forbidden,
    BadInput, or Conflict: `review_moved` for what is not what they were shown,
    `review_decided`.
    """
    item = _item(actor, uid)
    check_text("reason", reason, limit=MAX_REASON)
    if item.is_page:
        return page_drafts.approve(
            actor=actor, item=item, seen=seen, body=body, reason=reason
        )
    if body is not None:
        raise BadInput("Only drafts of pages can be edited.", field="body")
    return records.approve(actor=actor, item=item, seen=seen, reason=reason)


def reject(
    *, actor: Actor, uid: Any, seen: Seen | None = None, reason: str = ""
) -> ReviewItem:
    """Refuse a draft for good, or take a decision about records back.

    Raises NotFound, Forbidden, BadInput or Conflict.
    """
    item = _item(actor, uid)
    check_text("reason", reason, limit=MAX_REASON)
    if item.is_page:
        return page_drafts.reject(actor=actor, item=item, seen=seen, reason=reason)
    require_pending(item)
    return records.undo(actor=actor, item=item, reason=reason)


def skip(*, actor: Actor, uid: Any) -> ReviewItem:
    """Put an item to the end of the queue, for everybody."""
    item = _item(actor, uid)
    with transaction.atomic():
        item = held(item)
        require_pending(item)
        item.queued_at = timezone.now()
        item.save(update_fields=["queued_at"])
    return item


def unskip(*, actor: Actor, uid: Any) -> ReviewItem:
    """Give an item that was put off its old place in the queue."""
    item = _item(actor, uid)
    with transaction.atomic():
        item = held(item)
        require_pending(item)
        item.queued_at = item.created_at
        item.save(update_fields=["queued_at"])
    return item


def undo(*, actor: Actor, uid: Any) -> ReviewItem:
    """Take back what was decided about an item; a draft put off gets its old place.

    An undone approval is a new revision of the page; an undone decision about records
    is not decided again. Raises NotFound, Forbidden or Conflict.
    """
    item = _item(actor, uid)
    if not item.is_page:
        return records.undo(actor=actor, item=item)
    if item.state == ReviewState.PENDING and item.was_put_off:
        return unskip(actor=actor, uid=uid)
    return page_drafts.undo(actor=actor, item=item)


def approve_many(*, actor: Actor, choices: Sequence[tuple[Any, Seen]]) -> list[Result]:
    """Approve items that carry no risk, each looked at once more; others stay.

    What the actor cannot see is left out of the answer.
    """
    can_review(actor).require()
    found: list[Result] = []
    for uid, seen in choices:
        try:
            item = shown(actor=actor, uid=uid)
        except NotFound:
            continue
        try:
            if item.risks:
                raise Conflict(
                    "It has risks: look at it by itself.", code="review_risky"
                )
            approve(actor=actor, uid=uid, seen=seen)
        except GoClawError as problem:
            found.append(Result(item, problem))
        else:
            found.append(Result(item))
    return found


def _item(actor: Actor, uid: Any) -> ReviewItem:
    item = item_for(actor, uid)
    can_review(actor).require()
    return item
