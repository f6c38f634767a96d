"""Decide about what was done to records: let it stand, or take it back."""

from django.db import transaction

from accounts.actors import Actor
from goclaw.lib.errors import Conflict
from memory.lifecycle.items import shown_hash
from memory.lifecycle.undoing import undo_item
from memory.models import Memory, ReviewItem, ReviewState, Revision
from memory.models.revisions import RevisionQuerySet
from wiki.review.outcomes import Seen, held, moved, require_pending, settle


def decisions_of(item: ReviewItem) -> RevisionQuerySet:
    """Return what an item is about: each record that was replaced, and by which."""
    found = Revision.objects.decisions().filter(item=item).order_by("id")
    return found.select_related(
        "memory__created_by", "memory__created_by_key", "replacement__created_by"
    )


def brought_up_to_date(item: ReviewItem) -> ReviewItem:
    """Return the item with the hash of what the records say now.

    One of which nothing is left is outdated.
    """
    if item.state != ReviewState.PENDING:
        return item
    standing = [d for d in decisions_of(item) if not d.is_undone and d.replacement]
    if not standing:
        item.state = ReviewState.OUTDATED
        item.save(update_fields=["state"])
    elif (now := _hash_of(standing)) != item.content_hash:
        item.content_hash = now
        item.save(update_fields=["content_hash"])
    return item


def approve(
    *, actor: Actor, item: ReviewItem, seen: Seen, reason: str = ""
) -> ReviewItem:
    """Confirm a decision. Raises Conflict for what is not what was shown."""
    with transaction.atomic():
        item = brought_up_to_date(held(item))
        require_pending(item)
        if seen.content_hash != item.content_hash:
            raise moved(item)
        settle(item, ReviewState.APPROVED, actor=actor, reason=reason)
    return item


def undo(*, actor: Actor, item: ReviewItem, reason: str = "") -> ReviewItem:
    """Take a decision back, confirmed or not: the same is not decided again."""
    with transaction.atomic():
        item = held(item)
        if item.state not in {ReviewState.PENDING, ReviewState.APPROVED}:
            raise Conflict(f"It is {item.state} already.", code="review_not_undoable")
        undo_item(actor=actor, item=item)
        settle(item, ReviewState.UNDONE, actor=actor, reason=reason)
    return item


def _hash_of(standing: list[Revision]) -> str:
    new: Memory | None = standing[0].replacement
    if new is None:
        return ""
    return shown_hash(new, [decision.memory for decision in standing])
