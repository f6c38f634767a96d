"""The exact values of a sentence - numbers, dates, addresses - in what it cites."""

import re
from collections.abc import Mapping, Sequence

from goclaw.lib.diffs import Part
from memory.lifecycle.particulars import missing
from memory.lifecycle.rules import Statement, conflict
from memory.lifecycle.scanning import HARD, scan

# A run that has a digit, with what such runs are written with; ends are not part of it.
_VALUE = re.compile(r"[\w@][\w.,:/@+%°-]*\d[\w.,:/@+%°-]*|\d[\w.,:/@+%°-]*")
_ENDS = ".,:;-"
_WORD = re.compile(r"[^\W\d_]{4,}")


def strange_values(sentence: str, sources: Sequence[str]) -> frozenset[str]:
    """Return the numbers, dates and addresses that none of the cited texts has.

    A sentence that cites nothing has none: it is unsourced as a whole. Numbers written
    as words, such as "one", are no values here.
    """
    if not sources:
        return frozenset()
    exact = {
        token.text
        for token in scan(sentence)
        if token.kind in HARD and any(map(str.isdigit, token.written))
    }
    return missing([sentence], "\n".join(sources)) & exact


def opposed(sentence: str, facts: Mapping[str, str]) -> list[str]:
    """Return the ids of the facts that, by the rules, cannot be true beside it."""
    said = Statement(sentence)
    return [
        uid
        for uid, text in facts.items()
        if conflict(Statement(text), said) or conflict(said, Statement(text))
    ]


def highlighted(source: str, sentence: str) -> tuple[Part, ...]:
    """Return a cited text in parts, what it has in common with the sentence set off.

    That is its values; where they share none, the words of four letters and more.
    """
    wanted = {value.casefold() for value in _values(sentence)}
    spans = [span for span in _spans(source, _VALUE) if _at(source, span) in wanted]
    if not spans:
        words = {word.casefold() for word in _WORD.findall(sentence)}
        spans = [span for span in _spans(source, _WORD) if _at(source, span) in words]
    parts, done = [], 0
    for start, end in spans:
        parts += [Part(source[done:start]), Part(source[start:end], changed=True)]
        done = end
    parts.append(Part(source[done:]))
    return tuple(part for part in parts if part.text)


def _values(text: str) -> list[str]:
    return [text[start:end] for start, end in _spans(text, _VALUE)]


def _spans(text: str, what: re.Pattern[str]) -> list[tuple[int, int]]:
    found = []
    for match in what.finditer(text):
        kept = match[0].rstrip(_ENDS)
        found.append((match.start(), match.start() + len(kept)))
    return found


def _at(text: str, span: tuple[int, int]) -> str:
    return text[slice(*span)].casefold()
