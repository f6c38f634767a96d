"""The review in the words that people read."""

from accounts.actors import Actor
from memory.models import ReviewItem, ReviewKind, ReviewState

KIND_LABELS = {
    ReviewKind.NEW_PAGE: "new page",
    ReviewKind.EDIT_PAGE: "change of a page",
    ReviewKind.SUPERSEDE: "replaced record",
    ReviewKind.MERGE: "merged records",
}
RISK_LABELS = {
    "unsourced": "unsourced",
    "contradicts": "differs from its facts",
    "deletes-much": "deletes over 30 %",
    "hidden-characters": "hidden characters",
    "external": "links or images from elsewhere",
    "stale-base": "page has moved on",
}
VIA_LABELS = {
    "judge": "the background model, as a judge",
    "consolidation": "the nightly consolidation",
    "dedupe": "the search for duplicates",
    "key": "a key that was set again",
    "person": "a person",
}
VIA_SHORT = {"distill": "distilled", "wiki_write": "written"}
REASONS = (
    "It is wrong.",
    "It is outdated.",
    "It does not belong on this page.",
    "It says nothing new.",
    "It is not clear enough.",
)
"""What a reviewer can pick; anything else can be typed."""


def badge_key(actor: Actor) -> str:
    """Return where the count for an actor is kept for a moment."""
    return f"review:badge:{actor.user_id}"


def outcome_of(item: ReviewItem, *, verb: str) -> str:
    """Return what to tell a person about what they have just decided."""
    name = f"“{item.title}”"
    match verb, item.is_page:
        case "approve", True:
            number = item.draft.published.number if item.draft.published else None
            done = f"Published as revision {number}" if number else "It says that now"
            return f"{done}: {name}."
        case "approve", False:
            return f"Confirmed: {name}."
        case "reject", True:
            return f"Rejected: {name}. The same text does not come back."
        case "skip", _:
            return f"Put off to the end: {name}."
    if item.state == ReviewState.PENDING:
        return f"It waits again: {name}."
    if item.is_page:
        return f"Undone: {name}. The page is what it was before."
    return f"Taken back: {name}. It is not decided that way again."
