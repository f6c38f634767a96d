"""What a draft claims, sentence by sentence, with the records behind each."""

from collections.abc import Sequence
from dataclasses import dataclass

from goclaw.lib.diffs import Part
from memory.models import Memory, Risk
from wiki.models import PageDraft, Revision
from wiki.review.flags import lines_of
from wiki.review.sources import records_of
from wiki.review.structure import Sentence, from_json
from wiki.review.values import highlighted, opposed, strange_values


@dataclass(frozen=True, slots=True)
class Source:
    """A record that a sentence cites, its text with what they share set off."""

    memory: Memory
    parts: tuple[Part, ...]

    @property
    def state(self) -> str:
        """Return why it should not be relied on any more, "" for a live record."""
        if self.memory.is_forgotten:
            return "forgotten"
        if self.memory.is_superseded:
            return "superseded"
        return "expired" if self.memory.is_expired else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A sentence of a draft.

    `new` ones the page does not have yet. `missing` counts records that are gone for
    good, `strange` has numbers and dates that no cited record has, `against` what was
    looked at and cannot be true beside it.
    """

    section: str
    text: str
    new: bool
    edited: bool
    sources: Sequence[Source]
    missing: int
    strange: Sequence[str]
    against: Sequence[Source]

    @property
    def status(self) -> str:
        """Return `unsourced`, `differs`, `edited` or `sourced`."""
        if self.edited:
            return "edited"
        if not self.sources:
            return "unsourced"
        return "differs" if self.strange or self.against else "sourced"


def text_before(draft: PageDraft) -> str:
    """Return what the page said when the draft was put on top of it, "" for none."""
    found = Revision.objects.filter(page=draft.page_id, number=draft.base_number)
    revision = found.only("body").first() if draft.base_number else None
    return revision.body if revision else ""


def claims_of(draft: PageDraft) -> list[Claim]:
    """Return the claims of a page's draft, in order."""
    structure = from_json(draft.structure)
    uids = {*structure.cited, *structure.considered}
    found = records_of(uids).select_related("created_by", "created_by_key")
    memories = {str(memory.uid): memory for memory in found}
    there = {line.rstrip("\n") for line in lines_of(text_before(draft))}
    # Looking for what opposes a sentence takes long; the flag says if there is any.
    live = (m for m in memories.values() if not (m.is_superseded or m.is_forgotten))
    said = {str(m.uid): m.content for m in live} if _is_opposed(draft) else {}
    return [
        _claim(section.heading, sentence, memories, there, said)
        for section in structure.sections
        for sentence in section.sentences
    ]


def left_out(draft: PageDraft) -> int:
    """Return how many of the records that were looked at no sentence cites."""
    structure = from_json(draft.structure)
    return len(structure.considered.keys() - set(structure.cited))


def _is_opposed(draft: PageDraft) -> bool:
    return Risk.CONTRADICTS in draft.item.risk


def _source(memory: Memory, sentence: str) -> Source:
    return Source(memory, highlighted(memory.content, sentence))


def _claim(
    heading: str,
    sentence: Sentence,
    memories: dict[str, Memory],
    there: set[str],
    live: dict[str, str],
) -> Claim:
    cited = [memories[uid] for uid in sentence.facts if uid in memories]
    texts = [memory.content for memory in cited]
    new = sentence.line.rstrip("\n") not in there
    against = opposed(sentence.text, live) if new else []
    return Claim(
        section=heading,
        text=sentence.text,
        new=new,
        edited=sentence.edited,
        sources=[_source(memory, sentence.text) for memory in cited],
        missing=len(sentence.facts) - len(cited),
        strange=sorted(strange_values(sentence.text, texts)),
        against=[_source(memories[uid], sentence.text) for uid in against],
    )
