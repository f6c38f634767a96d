"""Set the tags of a record; `superseded` is a date on the record, not a row."""

from collections.abc import Iterable

from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import Conflict
from memory.models import Memory, MemoryTag, ReviewItem, ReviewState, Revision
from memory.scopes import SUPERSEDED


def set_tags(memory: Memory, names: Iterable[str], *, present: frozenset[str]) -> None:
    """Make the tags exactly `names`, where they are `present` now."""
    wanted = frozenset(names)
    if SUPERSEDED in wanted ^ present:
        memory.superseded_at = timezone.now() if SUPERSEDED in wanted else None
        memory.superseded_by = None
        refuse_second_live_fact(memory)
        memory.save(update_fields=["superseded_at", "superseded_by"])
    if gone := present - wanted:
        memory.tags.filter(name__in=gone).delete()
    if new := sorted(wanted - present - {SUPERSEDED}):
        MemoryTag.objects.bulk_create(
            MemoryTag(memory=memory, name=name) for name in new
        )
    memory.known_tags = wanted


def close_decisions(memory: Memory, *, actor: Actor) -> None:
    """Note that a person brought a record back, whatever had retired it.

    Other than an undo it is no veto.
    """
    now = timezone.now()
    done = {"undone_at": now, "undone_by": actor.user_id}
    standing = Revision.objects.decisions().filter(undone_at__isnull=True)
    standing.filter(memory=memory).update(**done)
    items = ReviewItem.objects.filter(decisions__memory=memory)
    items.exclude(decisions__in=standing).update(
        state=ReviewState.UNDONE, decided_at=now, decided_by=actor.user_id
    )


def refuse_second_live_fact(memory: Memory) -> None:
    """Refuse to bring back a keyed fact that has been set again."""
    if not memory.key or memory.is_superseded:
        return
    others = Memory.objects.current().filter(
        space=memory.space_id,
        domain=memory.domain,
        key=memory.key,
        forgotten_at__isnull=True,
    )
    if others.exclude(pk=memory.pk).exists():
        raise Conflict(
            f"{memory.key} has been set again since.",
            code="key_taken",
            remedy="Forget the newer fact first.",
        )
