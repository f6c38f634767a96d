"""Key facts of old notes: picked by a model, checked by code, put into a text. Pure.

A note may be put away once facts of it were taken, and a record only if these keep all
of its particulars; what a model made nothing of stays where it is.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from memory import llm
from memory.lifecycle.grounding import as_a_statement, unfounded
from memory.lifecycle.old_notes import OldNote
from memory.lifecycle.particulars import missing
from memory.llm.base import fence
from memory.llm.portions import portions
from memory.llm.prompts import text_of
from memory.llm.prompts.curation import CurationReply

log = logging.getLogger(__name__)

MOST_PIECES = 20
"""Of one note; a longer one is left where it is."""
TITLE = "# Memory"


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """Statements with the refs of their notes; `rejected` were held back."""

    facts: Sequence[tuple[str, frozenset[str]]] = ()
    rejected: int = 0

    def taken(self, notes: Sequence[OldNote]) -> list[OldNote]:
        """Return the notes that may be put away."""
        return [note for note in notes if self._covers(note)]

    def _covers(self, note: OldNote) -> bool:
        texts = [text for text, refs in self.facts if note.ref in refs]
        return bool(texts) and (
            note.is_file or not missing([note.text], "\n".join(texts))
        )


def batches(notes: Sequence[OldNote], *, max_chars: int) -> Iterator[list[OldNote]]:
    """Yield the notes in as few portions as a model takes in; a long one is alone."""
    return portions(notes, _cost, max_chars=max_chars)


def _cost(note: OldNote) -> int:
    return len(note.text) + len(note.ref) + 40


def is_too_long(note: OldNote, *, max_chars: int) -> bool:
    """Say whether a note has more pieces than anybody wants to wait for."""
    return len(note.text) > MOST_PIECES * max_chars


def key_facts(
    model: llm.Model, notes: Sequence[OldNote], *, max_chars: int
) -> KeyFacts:
    """Return what of some notes belongs into the memory. Raises llm.ModelFailed."""
    facts: dict[str, frozenset[str]] = {}
    rejected = 0
    for portion in _portions(notes, max_chars):
        try:
            reply = model.complete(
                system=text_of("curation"),
                prompt=_to_prompt(portion),
                schema=CurationReply,
            )
        except llm.AnswerNotValid as error:
            log.warning("%d notes are left where they are: %s", len(portion), error)
            rejected += 1
            continue
        for fact in reply.facts:
            cited = [portion[n - 1] for n in fact.notes if 1 <= n <= len(portion)]
            text = as_a_statement(fact.text, name="")
            if not cited or unfounded(text, "\n".join(note.text for note in cited)):
                rejected += 1
                continue
            refs = frozenset(note.ref for note in cited)
            facts[text] = facts.get(text, frozenset()) | refs
    return KeyFacts(tuple(facts.items()), rejected)


def with_facts(text: str, facts: Sequence[str], *, day: date) -> str:
    """Return the memory file with the facts under the day's heading, at its end.

    A line that stands there already is not written again.
    """
    lines = [f"- {fact}" for fact in facts]
    known = set(text.splitlines())
    new = [line for line in dict.fromkeys(lines) if line not in known]
    if not new:
        return text
    before = text.rstrip("\n") or TITLE
    headings = [line for line in before.splitlines() if line.startswith("#")]
    heading = f"## {day.isoformat()}"
    gap = "\n" if headings[-1:] == [heading] else f"\n\n{heading}\n\n"
    return before + gap + "\n".join(new) + "\n"


def _portions(notes: Sequence[OldNote], max_chars: int) -> Iterator[list[OldNote]]:
    """Yield the notes as they are, or a single long one in pieces."""
    if len(notes) > 1 or len(notes[0].text) <= max_chars:
        yield list(notes)
        return
    for start in range(0, len(notes[0].text), max_chars):
        yield [replace(notes[0], text=notes[0].text[start : start + max_chars])]


def _to_prompt(notes: Sequence[OldNote]) -> str:
    parts = [
        f"[{number}] {'file ' + note.ref if note.is_file else 'record'},"
        f" {note.day.isoformat()}\n{note.text}"
        for number, note in enumerate(notes, 1)
    ]
    return fence("notes", "\n\n".join(parts))
