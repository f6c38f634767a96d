"""One text for several: asked of a model by the group, and checked by code.

A model is not trusted with what it hands over: no particular may be lost or added, and
what is denied stays denied.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory import llm
from memory.lifecycle.clustering import Note
from memory.lifecycle.particulars import content_words, missing, polarity
from memory.llm.base import fence
from memory.llm.portions import portions
from memory.llm.prompts import text_of
from memory.llm.prompts.consolidation import ConsolidationReply, MergedNotes

log = logging.getLogger(__name__)

GROUPS_AT_ONCE = 10
KEPT = 1 / 2
"""Of each note's words with a subject, how many the merged text has at least."""
GROUNDED = 2 / 3
"""Of the merged text's words, how many are those of its notes at least."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Notes that a model takes to say the same, and its text; it passed the checks."""

    notes: Sequence[Note]
    text: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """What came of one question; `rejected` counts what the checks held back.

    Not `valid`: the answer was not by the schema, and says nothing of the groups.
    """

    proposals: Sequence[Proposal] = ()
    rejected: int = 0
    valid: bool = True


def batches(
    groups: Sequence[list[Note]], *, max_chars: int
) -> Iterator[list[list[Note]]]:
    """Yield the groups in as few questions as a model takes in."""
    return portions(groups, _cost, max_chars=max_chars, most=GROUPS_AT_ONCE)


def _cost(group: Sequence[Note]) -> int:
    return sum(len(note.text) + 20 for note in group)


def propose(model: llm.Model, groups: Sequence[list[Note]]) -> Proposed:
    """Ask which notes of each group say the same. Raises llm.ModelFailed."""
    numbers = [note for group in groups for note in group]
    try:
        reply = model.complete(
            system=text_of("consolidation"),
            prompt=_to_prompt(groups),
            schema=ConsolidationReply,
        )
    except llm.AnswerNotValid as error:
        log.warning("%d groups are left as they are: %s", len(groups), error)
        return Proposed(valid=False)
    group_of = {note.pk: at for at, group in enumerate(groups) for note in group}
    proposals: list[Proposal] = []
    used: set[int] = set()
    for merge in reply.merges:
        notes = _named(merge, numbers)
        reason = _objection(notes, merge.text, group_of, used)
        if reason:
            log.info("a merge was held back: %s", reason)
            continue
        used.update(note.pk for note in notes)
        proposals.append(Proposal(notes, " ".join(merge.text.split())))
    return Proposed(proposals, rejected=len(reply.merges) - len(proposals))


def _to_prompt(groups: Sequence[list[Note]]) -> str:
    parts, number = [], 0
    for at, group in enumerate(groups, 1):
        lines = [f"Group {at}"]
        for note in group:
            number += 1
            lines.append(f"[{number}] {' '.join(note.text.split())}")
        parts.append("\n".join(lines))
    return fence("notes", "\n\n".join(parts))


def _named(merge: MergedNotes, notes: Sequence[Note]) -> list[Note]:
    """Return the notes of a merge; numbers that the question had not are dropped."""
    numbers = dict.fromkeys(n for n in merge.notes if 1 <= n <= len(notes))
    return [notes[number - 1] for number in numbers]


def _objection(
    notes: Sequence[Note], text: str, group_of: dict[int, int], used: set[int]
) -> str | None:
    """Return why a merge is not to be done, in a word; None if it is."""
    if len(notes) < 2:
        return "too few notes"
    if len({group_of[note.pk] for note in notes}) > 1:
        return "notes of several groups"
    if used & {note.pk for note in notes}:
        return "a note used twice"
    texts = [note.text for note in notes]
    if not text.strip() or len(text) > sum(map(len, texts)) + 20:
        return "size"
    if missing(texts, text):
        return "a particular is lost"
    if missing([text], " \n".join(texts)):
        return "a particular is invented"
    if {bool(polarity(one)) for one in texts} != {bool(polarity(text))}:
        return "what is denied"
    words = content_words(text)
    theirs = [content_words(one) for one in texts]
    if any(len(words & its) < KEPT * len(its) for its in theirs):
        return "a note is lost"
    if len(words & frozenset[str]().union(*theirs)) < GROUNDED * len(words):
        return "words that no note has"
    return None
