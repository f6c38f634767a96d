"""Taking decisions back: the records return at once, and it is not decided again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import Conflict, NotFound
from memory import access
from memory.lifecycle.deciding import MERGE, hold
from memory.lifecycle.vetoes import forbid
from memory.locks import lock
from memory.models import Memory, ReviewItem, ReviewState, Revision
from memory.models.revisions import RevisionQuerySet
from memory.tagging import refuse_second_live_fact

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo brought back, and which merged records it retired."""

    restored: list[Memory]
    retired: list[Memory]


def undo(*, actor: Actor, uid: Any) -> Undone:
    """Take back the last decision that retired a record, or that made it by a merge.

    A merge is taken back as a whole. Raises NotFound for what the actor may not read or
    nothing was decided about, Forbidden, and Conflict (`already_undone`).
    """
    memory = Memory.objects.readable_by(actor).filter(uid=uid).first()
    if memory is None:
        raise NotFound("There is no such record.")
    about = Q(memory=memory) | Q(replacement=memory, via=MERGE)
    return _undo(
        actor, about, nothing="Nothing was decided about this record.", last=True
    )


def undo_revision(*, actor: Actor, uid: Any) -> Undone:
    """Take back one decision, named by its own id; a merge as a whole."""
    return _undo(actor, Q(uid=uid), nothing="There is no such decision.")


def undo_item(*, actor: Actor, item: ReviewItem) -> Undone:
    """Take back what a review item is about."""
    return _undo(actor, Q(item=item), nothing="There is no such decision.")


def undo_run(*, actor: Actor, run: str) -> Undone:
    """Take back all that was decided in a run and still stands."""
    return _undo(actor, Q(run=run, run__gt=""), nothing="There is no such run.")


@transaction.atomic
def _undo(actor: Actor, about: Q, *, nothing: str, last: bool = False) -> Undone:
    decisions = _decisions(actor).filter(about)
    spaces = set(decisions.values_list("memory__space_id", flat=True))
    if not spaces:
        raise NotFound(nothing)
    hold(*spaces)
    lock(*_facts(decisions))
    standing = list(decisions.filter(undone_at__isnull=True))
    if not standing:
        raise _undone_already(decisions)
    found = list(_groups(standing[:1] if last else standing))
    for group in found:
        for decision in group:
            access.can_take_back(actor, decision.memory).require()
    now = timezone.now()
    undone = Undone(restored=[], retired=[])
    for group in found:
        _take_back(group, actor, now, undone)
    _close_items(actor, [decision for group in found for decision in group], now)
    return undone


def _decisions(actor: Actor) -> RevisionQuerySet:
    """Return the decisions that retired something, newest first."""
    return (
        Revision.objects.readable_by(actor)
        .decisions()
        .select_related("memory__space", "replacement")
    )


def _facts(decisions: RevisionQuerySet) -> list[tuple[object, ...]]:
    """Return what those wait for who would set the same keyed facts now."""
    keyed = decisions.exclude(memory__key="")
    rows = keyed.values_list("memory__space_id", "memory__domain", "memory__key")
    return [("fact", *row) for row in rows]


def _groups(standing: Sequence[Revision]) -> Iterator[list[Revision]]:
    """Yield what has to be taken back together: a merge, or one decision."""
    seen: set[int] = set()
    for decision in standing:
        merged = decision.replacement_id
        if decision.via != MERGE or merged is None:
            yield [decision]
        elif merged not in seen:
            seen.add(merged)
            yield list(
                Revision.objects.filter(
                    via=MERGE, replacement=merged, undone_at__isnull=True
                ).select_related("memory__space", "replacement")
            )


def _take_back(
    group: Sequence[Revision], actor: Actor, now: datetime, undone: Undone
) -> None:
    """Bring the records of a decision back, for good."""
    for decision in group:
        old = decision.memory
        old.superseded_at = old.superseded_by = None
        if not old.is_forgotten:
            refuse_second_live_fact(old)
        old.save(update_fields=["superseded_at", "superseded_by"])
        undone.restored.append(old)
        decision.undone_at, decision.undone_by_id = now, actor.user_id
        decision.save(update_fields=["undone_at", "undone_by"])
        _note(decision, old, actor)
    first = group[0]
    new = first.replacement
    if new is None:
        return
    texts = [new.content, *(decision.memory.content for decision in group)]
    forbid(first, texts, space_id=new.space_id)
    if first.via == MERGE and not new.is_superseded:
        new.superseded_at = now
        new.to_judge = False
        new.save(update_fields=["superseded_at", "to_judge"])
        undone.retired.append(new)
        _note(first, new, actor)


def _note(decision: Revision, memory: Memory, actor: Actor) -> None:
    Revision.objects.create(
        memory=memory,
        via=UNDO,
        undoes=decision,
        run=decision.run,
        actor_id=actor.user_id,
    )


def _close_items(actor: Actor, decisions: Sequence[Revision], now: datetime) -> None:
    ids = {decision.item_id for decision in decisions if decision.item_id}
    ReviewItem.objects.filter(pk__in=ids).update(
        state=ReviewState.UNDONE, decided_at=now, decided_by=actor.user_id
    )


def _undone_already(decisions: RevisionQuerySet) -> Conflict:
    last = decisions.order_by("-undone_at").select_related("undone_by")[0]
    by = f" by {last.undone_by}" if last.undone_by else ""
    return Conflict(
        f"This was undone already, {last.undone_at:%Y-%m-%d %H:%M} UTC{by}.",
        code="already_undone",
        remedy="There is nothing left to take back.",
    )
