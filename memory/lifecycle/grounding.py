"""Whether somebody really said what a model takes them to have said. Pure.

A model is not trusted with what it hands over: every number, date, address and name has
to be in the person's words, most of the subject too, and "not" has to stay what it was.
"""

import re

from memory.lifecycle.particulars import (
    content_words,
    missing,
    polarity,
    tokens_of,
)
from memory.lifecycle.scanning import HARD
from memory.lifecycle.transcripts import Line

MAX_STATEMENT = 500
"""Characters; what is longer is no single statement."""
GROUNDED = 1 / 2
"""Of the statement's words with a subject, how many have to be those of the source."""

_SENTENCE = re.compile(r"(?<=[.!?;。！？；])\s+|(?<=[。！？；])|\n+")
_QUESTION = re.compile(r"[?？؟]\s*$")
_REQUEST = re.compile(
    r"\b(?:(?:can|could|would|will) you|please|kannst du|k[oö]nn(?:test du|ten sie)"
    r"|können sie|würdest du|bitte|peux-tu|pouvez-vous|pourri(?:ez-vous|ais-tu)"
    r"|s'il (?:te|vous) pla[iî]t|puedes|podrías|por favor)\b|ください|请|請",
    re.IGNORECASE,
)
_REPORTED = (
    r"(?:the )?(?:user|person|speaker|admin(?:istrator)?|he|she|they|{name})"
    r" (?:said|says|mentioned|mentions|stated|states|noted|notes|explained|confirmed"
    r"|told (?:us|me|the agent))(?: that)?,? "
)


def as_a_statement(text: str, *, name: str) -> str:
    """Return what is true, without that somebody said so, on one line."""
    flat = " ".join(text.split())
    reported = _REPORTED.format(name=re.escape(name) if name else "user")
    found = re.match(reported, flat, re.IGNORECASE)
    if found is None:
        return flat
    rest = flat[found.end() :]
    return rest[:1].upper() + rest[1:]


def objection(statement: str, line: Line) -> str | None:
    """Return why a statement cannot be taken from a line, as one word; None if it can.

    `size`, `invented` (a particular that the person did not say), `not_said` (hardly a
    word in common), `question` (asked, not claimed), `denial` (said the other way).
    """
    if not 3 <= len(statement) <= MAX_STATEMENT:
        return "size"
    if _invents(statement, line):
        return "invented"
    words = content_words(statement)
    own = words & content_words(line.evidence)
    shared = own | (words & content_words(line.question))
    if not own or len(shared) < GROUNDED * len(words):
        return "not_said"
    sentence = _nearest(words, line)
    asked = _QUESTION.search(sentence) and not _REQUEST.search(sentence)
    if asked and not line.is_confirmed:
        return "question"
    if bool(polarity(sentence)) != bool(polarity(statement)):
        return "denial"
    return None


def unfounded(statement: str, text: str) -> str | None:
    """Return why a statement cannot be taken from a text, in `objection`'s words."""
    if not 3 <= len(statement) <= MAX_STATEMENT:
        return "size"
    if missing([statement], text):
        return "invented"
    words = content_words(statement)
    if len(words & content_words(text)) < GROUNDED * max(1, len(words)):
        return "not_said"
    if bool(polarity(_nearest_in(words, text))) != bool(polarity(statement)):
        return "denial"
    return None


def _invents(statement: str, line: Line) -> bool:
    """Say whether it has a particular that the person did not say.

    A name may come from the question that they answered.
    """
    hard = {token.text for token in tokens_of(statement) if token.kind in HARD}
    said = {token.text for token in tokens_of(line.evidence) if token.kind in HARD}
    if hard - said:
        return True
    return bool(missing([statement], f"{line.evidence}\n{line.question}") - hard)


def _nearest(words: frozenset[str], line: Line) -> str:
    """Return the sentence that has most of the words; a yes stands for its question."""
    return line.question if line.is_confirmed else _nearest_in(words, line.noted)


def _nearest_in(words: frozenset[str], text: str) -> str:
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    return max(sentences, key=lambda s: len(words & content_words(s)), default="")
