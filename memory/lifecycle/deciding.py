"""The one place where a record is taken to replace others.

Whoever decides - a rule, a model, a person - has looked at records some time ago. Here
they are looked at once more under lock, and nothing happens unless all still holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import Conflict
from memory import records
from memory.drafts import Draft
from memory.lifecycle.grounds import (
    CHANGED,
    GONE,
    Ground,
    against_replacing,
    against_retiring,
)
from memory.lifecycle.items import item_for
from memory.lifecycle.particulars import missing
from memory.lifecycle.vetoes import any_vetoed
from memory.locks import lock
from memory.models import Memory, MemoryTag, ReviewItem, ReviewKind, Revision
from memory.scopes import Origin

MERGE = "consolidation"
"""The `via` of a merge."""
MAX_REASON = 500


class Refused(Conflict):
    """A decision that does not hold, with the code of the reason; nothing changed."""

    default_code = "decision_refused"

    @classmethod
    def on(cls, ground: Ground) -> "Refused":
        """Return the error that says why."""
        return cls(ground.message, code=ground.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """Who or what decides, and why; the same for all that is decided at once."""

    via: str
    reason: str
    run: str
    actor: Actor
    model: str
    words: str


def retire(
    *,
    old: Memory,
    new: Memory,
    via: str,
    actor: Actor,
    reason: str = "",
    run: str = "",
    model: str = "",
    words: str = "",
) -> Revision:
    """Let a newer record replace an older one of its space; nothing is deleted.

    Both are as the decider saw them. `via` is `rule:<name>`, judge, dedupe or person;
    `words` is what the model said. Raises Refused, and then has changed nothing.
    """
    deciding = Deciding(
        via=via, reason=reason, run=run, actor=actor, model=model, words=words
    )
    with transaction.atomic():
        now = timezone.now()
        old, new = _as_seen([old, new])
        tags = _tags_of([old, new])
        _refuse(against_retiring(old, tags[old.pk], via=via, now=now))
        _refuse(against_replacing(old, new, tags[new.pk], via=via, now=now))
        item = None
        if via != "person":
            item = item_for(
                kind=ReviewKind.SUPERSEDE, new=new, olds=[old], via=via, run=run
            )
        return _retired(old, new, deciding, item, now)


def merge(
    *,
    sources: Sequence[Memory],
    draft: Draft,
    actor: Actor,
    reason: str = "",
    run: str = "",
    model: str = "",
    words: str = "",
) -> Memory:
    """Store one record in place of at least two of one space that say the same.

    It has to keep every particular of the sources, and is as new as the newest of
    them. Raises Refused, and then has changed nothing.
    """
    deciding = Deciding(
        via=MERGE, reason=reason, run=run, actor=actor, model=model, words=words
    )
    if len({source.pk for source in sources}) < 2:
        raise ValueError("a merge has at least two sources")
    with transaction.atomic():
        now = timezone.now()
        seen = _as_seen(sources)
        tags = _tags_of(seen)
        for source in seen:
            _refuse(against_retiring(source, tags[source.pk], via=MERGE, now=now))
        _refuse_merge(seen, draft)
        merged = records.write(
            actor=actor,
            draft=replace(
                draft,
                observed_at=max(source.observed_at for source in seen),
                force=True,
            ),
            origin=Origin.CONSOLIDATION,
            run=run,
        ).memory
        item = item_for(
            kind=ReviewKind.MERGE, new=merged, olds=seen, via=MERGE, run=run
        )
        for source in seen:
            _retired(source, merged, deciding, item, now)
        return merged


def hold(*space_ids: int) -> None:
    """Make all that decide about records of the spaces wait for this transaction."""
    lock(*{("decide", space_id) for space_id in space_ids})


def _refuse_merge(sources: Sequence[Memory], draft: Draft) -> None:
    if lost := missing((source.content for source in sources), draft.content):
        raise Refused(
            "The merged text has lost a particular.",
            code="particulars_lost",
            lost=sorted(lost),
        )
    if any_vetoed(sources):
        raise Refused("A person undid this decision before.", code="vetoed")


def _as_seen(memories: Sequence[Memory]) -> list[Memory]:
    """Return the records under lock; raises Refused for one that is not as it was."""
    hold(*(memory.space_id for memory in memories))
    rows = Memory.objects.select_for_update().order_by("pk")
    locked = {row.pk: row for row in rows.filter(pk__in=[m.pk for m in memories])}
    for memory in memories:
        now = locked.get(memory.pk)
        if now is None or now.space_id != memories[0].space_id:
            raise Refused.on(GONE)
        if now.text_hash != memory.text_hash or now.kind != memory.kind:
            raise Refused.on(CHANGED)
    return [locked[memory.pk] for memory in memories]


def _tags_of(memories: Sequence[Memory]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {memory.pk: set() for memory in memories}
    rows = MemoryTag.objects.filter(memory_id__in=found)
    for pk, name in rows.values_list("memory_id", "name"):
        found[pk].add(name)
    return {pk: frozenset(names) for pk, names in found.items()}


def _refuse(ground: Ground | None) -> None:
    if ground is not None:
        raise Refused.on(ground)


def _retired(
    old: Memory,
    new: Memory,
    deciding: Deciding,
    item: ReviewItem | None,
    now: datetime,
) -> Revision:
    """Take a record out of prompt and plain search, and write down why."""
    old.superseded_at, old.superseded_by = now, new
    old.to_judge = False
    old.save(update_fields=["superseded_at", "superseded_by", "to_judge"])
    return Revision.objects.create(
        memory=old,
        replacement=new,
        via=deciding.via,
        reason=deciding.reason[:MAX_REASON],
        run=deciding.run,
        model=deciding.model[:100],
        words=deciding.words,
        actor_id=deciding.actor.user_id,
        item=item,
    )
