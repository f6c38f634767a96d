"""What makes a draft deserve a closer look. Pure."""

import re
from collections.abc import Iterable, Mapping

from goclaw.lib.hidden import HIDDEN
from goclaw.lib.matching import Budget, opcodes
from memory.models.review import Risk
from wiki.review.structure import Sentence, Structure
from wiki.review.values import opposed, strange_values

MUCH = 0.3
"""Share of a page's characters above which taking them away is a risk."""

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
# Whatever may lead to another host or show something: addresses, images, HTML, and
# Markdown links to anything but a place of ours.
_EXTERNAL = re.compile(
    r"//|/\\|!\[|mailto:|<\s*(?:a|img)\b|\]\(\s*<?(?![/#.?])|^ {0,3}\[[^\]\n]+\]:",
    re.IGNORECASE | re.MULTILINE,
)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, with their ends."""
    return _LINES.findall(text)


def size_of_change(before: str, after: str) -> tuple[str, str]:
    """Return the text of the lines that come, and of those that go."""
    old, new = lines_of(before), lines_of(after)
    came, went = [], []
    for op, a1, a2, b1, b2 in opcodes(old, new, Budget()):
        if op != "equal":
            went += old[a1:a2]
            came += new[b1:b2]
    return "".join(came), "".join(went)


def risks_of(
    *, before: str, after: str, structure: Structure, sources: Mapping[str, str]
) -> Risk:
    """Return the flags of a text that is to take a page's place.

    `sources` has the text of each record that it was made from.
    """
    came, went = size_of_change(before, after)
    found = Risk(0)
    if len(went.strip()) > MUCH * len(before.strip()):
        found |= Risk.DELETES_MUCH
    if HIDDEN.search(came):
        found |= Risk.HIDDEN_CHARACTERS
    if _EXTERNAL.search(came):
        found |= Risk.EXTERNAL
    claims = list(new_claims(before, structure))
    if any(claim.is_unsourced for claim in claims):
        found |= Risk.UNSOURCED
    if any(_differs(claim, sources) for claim in claims):
        found |= Risk.CONTRADICTS
    return found


def new_claims(before: str, structure: Structure) -> Iterable[Sentence]:
    """Return the sentences that the page does not have yet."""
    there = {line.rstrip("\n") for line in lines_of(before)}
    return (s for s in structure.sentences() if s.line.rstrip("\n") not in there)


def _differs(claim: Sentence, sources: Mapping[str, str]) -> bool:
    strange = strange_values(claim.text, texts_behind(claim, sources))
    return bool(strange) or bool(opposed(claim.text, sources))


def texts_behind(sentence: Sentence, sources: Mapping[str, str]) -> list[str]:
    """Return the texts of the records that a sentence cites."""
    return [sources[uid] for uid in sentence.facts if uid in sources]
