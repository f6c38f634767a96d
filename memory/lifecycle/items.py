"""The items by which people see, confirm or undo what was decided about records."""

import hashlib
from collections.abc import Sequence

from memory.drafts import canonical
from memory.models import Memory, ReviewItem, ReviewKind

MAX_TITLE = 120


def item_for(
    *, kind: ReviewKind, new: Memory, olds: Sequence[Memory], via: str, run: str
) -> ReviewItem | None:
    """Make the item of a decision; none in a personal space, which only its owner sees.

    What was decided about records has happened: the item confirms it or undoes it.
    """
    if new.owner_id is not None:
        return None
    return ReviewItem.objects.create(
        kind=kind,
        space_id=new.space_id,
        title=_title(new),
        domain=new.domain,
        via=via,
        agent=new.agent,
        run=run,
        added=_lines([new]),
        removed=_lines(olds),
        facts=len(olds),
        content_hash=shown_hash(new, olds),
    )


def shown_hash(new: Memory, olds: Sequence[Memory]) -> str:
    """Return the hash of the texts that a reviewer is shown."""
    texts = [new.content, *(old.content for old in sorted(olds, key=lambda m: m.pk))]
    return hashlib.sha256(canonical(texts).encode()).hexdigest()


def _title(memory: Memory) -> str:
    text = " ".join((memory.title or memory.content).split())
    return text if len(text) <= MAX_TITLE else text[: MAX_TITLE - 1] + "…"


def _lines(memories: Sequence[Memory]) -> int:
    return sum(memory.content.count("\n") + 1 for memory in memories)
