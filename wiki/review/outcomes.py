"""What every decision of a reviewer has in common."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import Conflict
from memory.models import ReviewItem, ReviewState

MAX_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a reviewer had before them; only that can be decided about."""

    content_hash: str
    base_revision: int = 0
    """The page's revision in the diff; 0 for a new page, and for records."""


def moved(item: ReviewItem) -> Conflict:
    """Return the refusal for what is not any more what was shown."""
    draft = getattr(item, "draft", None)
    return Conflict(
        "It is not what you were shown any more.",
        code="review_moved",
        field="content_hash",
        remedy="Look at it as it is now, and decide again.",
        content_hash=item.content_hash,
        base_revision=draft.base_number if draft else 0,
    )


def require_pending(item: ReviewItem) -> None:
    """Raise Conflict for an item about which somebody has decided."""
    if item.state == ReviewState.PENDING:
        return
    remedy = "Undo that first." if item.state == ReviewState.APPROVED else None
    if item.state == ReviewState.OUTDATED:
        raise Conflict(
            "A newer draft has taken its place, or there is nothing left to decide.",
            code="review_decided",
        )
    raise Conflict(f"It is {item.state} already.", code="review_decided", remedy=remedy)


def held(item: ReviewItem) -> ReviewItem:
    """Return the item as it is now, locked; call it inside a transaction."""
    return ReviewItem.objects.select_for_update().get(pk=item.pk)


def settle(
    item: ReviewItem, state: ReviewState, *, actor: Actor, reason: str = ""
) -> None:
    """Write down who decided, when, and why."""
    item.state = state
    item.decided_at = timezone.now()
    item.decided_by_id = actor.user_id
    item.reason = reason[:MAX_REASON]
    item.save(update_fields=["state", "decided_at", "decided_by", "reason"])


def reopen(item: ReviewItem) -> None:
    """Let an item wait again, where it was in the queue."""
    item.state = ReviewState.PENDING
    item.decided_at = item.decided_by = None
    item.reason = ""
    item.save(update_fields=["state", "decided_at", "decided_by", "reason"])
