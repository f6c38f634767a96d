"""To learn: a statement is stored once, and retires what it plainly replaces.

What is learned are facts and preferences of the agent notes, whoever writes them and by
whatever door, and what is extracted from conversations. All else is simply written, and
so is a catalogue, whose records stood beside each other where they come from.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.db import transaction
from django.db.models import Max

from accounts.actors import Actor
from goclaw.lib.errors import GoClawError
from memory import records
from memory.drafts import Draft
from memory.lifecycle.deciding import Refused, hold, retire
from memory.lifecycle.grounds import age_of
from memory.lifecycle.particulars import content_words, normalise
from memory.lifecycle.rivals import SHARED, find_rivals, live_in, shared
from memory.lifecycle.rules import Statement, claims, conflict
from memory.lifecycle.sameness import same
from memory.models import JobKind, Memory
from memory.queue import enqueue
from memory.records import Source, Written
from memory.scopes import LEARNED_KINDS, UNVERIFIED, Origin, Scope

JUDGE_KEY = "scheduled"
"""All that wait for the judge share one queued job, that of the schedule."""


class Outcome(StrEnum):
    """What became of a statement."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    """The same text is there."""
    LINKED = "linked"
    """The same is there in almost the same words."""
    BESIDE = "beside"
    """Stored next to one on the same subject, which nothing retires by itself."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The record that holds a statement now, and those that it retired."""

    memory: Memory
    outcome: Outcome
    retired: Sequence[Memory] = field(default_factory=tuple)


def is_learned(draft: Draft) -> bool:
    """Say whether a draft takes the longer way, wherever it is written."""
    return draft.scope == Scope.AGENT_NOTES and draft.kind in LEARNED_KINDS


def write(*, actor: Actor, draft: Draft, tool: str = "") -> Written:
    """Store a record for any door: learned if it is a fact or preference of the notes.

    Raises BadInput, TooLarge or Forbidden, and then changes nothing.
    """
    if not is_learned(draft):
        return records.write(actor=actor, draft=draft, tool=tool)
    return _as_written(learn(actor=actor, draft=draft, tool=tool))


def write_many(*, actor: Actor, drafts: Sequence[Draft]) -> list[Written | GoClawError]:
    """Store many records; each answers for itself, in the order of the input."""
    plain = [draft for draft in drafts if not is_learned(draft)]
    written = iter(records.write_many(actor=actor, drafts=plain))
    return [
        _try_to_write(actor, draft) if is_learned(draft) else next(written)
        for draft in drafts
    ]


def learn(
    *,
    actor: Actor,
    draft: Draft,
    origin: str = "",
    tool: str = "",
    session: str = "",
    message: str = "",
    run: str = "",
) -> Learned:
    """Store a statement unless its space has it, and retire what it replaces.

    A draft with `force` is stored in any case. `run` names what is decided together;
    without one the write is a run of its own.
    Raises BadInput, TooLarge or Forbidden, and then changes nothing.
    """
    judged = records.judge(actor=actor, draft=draft)
    space = judged.space.pk
    newest = Memory.objects.aggregate(newest=Max("pk"))["newest"] or 0
    rivals = find_rivals(space, judged.draft.content, author=actor.user_id)
    source = Source(origin=origin, tool=tool, session=session, message=message, run=run)
    with transaction.atomic():
        hold(space)
        # What came since, of writers that had their turn before this one.
        rivals += live_in(space).filter(pk__gt=newest)
        if known := _known(judged.draft, rivals, origin):
            return known
        written = records.store(actor=actor, judged=judged, source=source)
        if written.deduplicated:
            return Learned(written.memory, Outcome.DUPLICATE)
        memory = written.memory
        if memory.scope != Scope.AGENT_NOTES or UNVERIFIED in draft.tags:
            return Learned(memory, _beside(memory, rivals))
        run = run or str(uuid.uuid4())
        retired = revise_by_rules(actor=actor, memory=memory, rivals=rivals, run=run)
        ask_judge(memory, rivals)
        return Learned(memory, _beside(memory, rivals), retired)


def revise_by_rules(
    *, actor: Actor, memory: Memory, rivals: Iterable[Memory], run: str
) -> list[Memory]:
    """Retire what a record plainly replaces, or the record where a rival is newer.

    Returns the retired records; all of them are marked as such in memory too.
    """
    retired: list[Memory] = []
    if not any(claims(memory.content)):
        return retired
    for rival in rivals:
        if not comparable(memory, rival):
            continue
        older, newer = sorted((memory, rival), key=age_of)
        name = conflict(_statement(older), _statement(newer))
        if name is None:
            continue
        try:
            revision = retire(
                old=older,
                new=newer,
                via=f"rule:{name}",
                actor=actor,
                reason="The newer record gives another value for the same.",
                run=run,
            )
        except Refused:
            continue
        older.superseded_at = revision.memory.superseded_at
        older.superseded_by = newer
        retired.append(older)
        if older is memory:
            break
    return retired


def ask_judge(memory: Memory, rivals: Iterable[Memory]) -> None:
    """Leave to the judge what the rules left open, about a record and its rivals.

    Each record is held against the older ones, so one that was observed long ago makes
    the newer ones be judged.
    """
    asked = set()
    for rival in rivals:
        if comparable(memory, rival):
            older, newer = sorted((memory, rival), key=age_of)
            if shared(content_words(newer.content), older.content) >= SHARED:
                asked.add(newer.pk)
    if asked:
        Memory.objects.filter(pk__in=asked).update(to_judge=True)
        enqueue(JobKind.JUDGE, key=JUDGE_KEY)


def comparable(memory: Memory, rival: Memory) -> bool:
    """Say whether two records may be about the same, and both hold still."""
    same_domain = memory.domain == rival.domain or not (memory.domain and rival.domain)
    return (
        memory.pk != rival.pk
        and memory.kind == rival.kind
        and same_domain
        and not (memory.is_superseded or rival.is_superseded)
    )


def _statement(memory: Memory) -> Statement:
    return Statement(memory.content, memory.created_by_id)


def _known(draft: Draft, rivals: Iterable[Memory], origin: str) -> Learned | None:
    """Return the live record that says this already, if there is one."""
    if draft.force or draft.key:
        return None
    for rival in rivals:
        if not _could_be_one(draft, rival, origin):
            continue
        if not same(draft.content, rival.content) or not _holds_still(draft, rival):
            continue
        equal = normalise(draft.content) == normalise(rival.content)
        return Learned(rival, Outcome.DUPLICATE if equal else Outcome.LINKED)
    return None


def _could_be_one(draft: Draft, rival: Memory, origin: str) -> bool:
    """Say whether only the text tells a draft and a record apart.

    What is extracted has a model's sorting and the time of its message, which tell
    nothing; in what is written they are meant.
    """
    if rival.key or draft.expires_at != rival.expires_at:
        return False
    if origin == Origin.EXTRACTION:
        return rival.kind in LEARNED_KINDS
    observed = draft.observed_at in {None, rival.observed_at}
    return observed and (rival.kind, rival.domain) == (draft.kind, draft.domain)


def _holds_still(draft: Draft, rival: Memory) -> bool:
    """Say whether the record is as it was found, and as sure as the draft is."""
    rows = live_in(rival.space_id).filter(pk=rival.pk, text_hash=rival.text_hash)
    if UNVERIFIED not in draft.tags:
        rows = rows.exclude(tags__name=UNVERIFIED)
    return rows.exists()


def _beside(memory: Memory, rivals: Iterable[Memory]) -> Outcome:
    words = content_words(memory.content)
    beside = any(
        comparable(memory, rival) and shared(words, rival.content) >= SHARED
        for rival in rivals
    )
    return Outcome.BESIDE if beside else Outcome.STORED


def _try_to_write(actor: Actor, draft: Draft) -> Written | GoClawError:
    try:
        return _as_written(learn(actor=actor, draft=draft))
    except GoClawError as error:
        return error


_BECAUSE = {
    Outcome.DUPLICATE: "The same text is here already.",
    Outcome.LINKED: "The same is here already, in almost the same words.",
}


def _as_written(learned: Learned) -> Written:
    because = _BECAUSE.get(learned.outcome, "")
    return Written(learned.memory, deduplicated=bool(because), because=because)
