"""Choose the passage of a chunk to show, and mark the words asked for. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.analysis import COMPOUND_WEIGHT, Analyser, QueryTerm
from memory.lexemes import is_unspaced, lexeme_places, without_clitic

MAX_SNIPPET = 700
"""Characters."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage, and the (start, end) of the marked words within it."""

    text: str
    matches: tuple[tuple[int, int], ...]


class _Match(NamedTuple):
    start: int
    end: int
    term: int


_NONE, _UNSPACED = -1, -2
"""What stands for a word that is no term, and for a run that has to be looked into."""


class Marker:
    """Marks the words of one question in texts, and remembers the words it has met."""

    def __init__(self, terms: Sequence[QueryTerm], analyser: Analyser) -> None:
        self._analyser = analyser
        self._terms: dict[str, int] = {}
        for number, term in enumerate(terms):
            strong = [form for form, weight in term.forms if weight > COMPOUND_WEIGHT]
            for token in (*strong, *term.parts):
                self._terms.setdefault(token, number)
        self._initials = {token[0] for token in self._terms}
        self._known: dict[str, int] = {}

    def snippet(self, text: str) -> Snippet:
        """Return the passage of at most 700 characters with most distinct terms."""
        matches = self._matches(text)
        start, end = _passage(text, matches)
        inside = [m for m in matches if start <= m.start and m.end <= end]
        return Snippet(
            text=text[start:end],
            matches=tuple((m.start - start, m.end - start) for m in inside),
        )

    def _matches(self, text: str) -> list[_Match]:
        found: list[_Match] = []
        known = self._known
        for place in lexeme_places(text):
            lexeme = place[0]
            number = known.get(lexeme)
            if number is None:
                number = known[lexeme] = self._term_of(lexeme)
            if number >= 0:
                found.append(_Match(place.start(), place.end(), number))
            elif number == _UNSPACED:
                found += self._unspaced_matches(place.start(), lexeme)
        return found

    def _term_of(self, lexeme: str) -> int:
        """Return the number of the term that a word speaks for."""
        if (
            lexeme.isascii()
            and lexeme.isalpha()
            and lexeme[1:].islower()
            and lexeme[0].lower() not in self._initials
        ):
            return _NONE  # no form of a plain word begins with another letter
        if is_unspaced(lexeme):
            return _UNSPACED
        tokens = self._analyser.lexeme_tokens(without_clitic(lexeme))
        numbers = [self._terms[token] for token in tokens if token in self._terms]
        return min(numbers, default=_NONE)

    def _unspaced_matches(self, start: int, run: str) -> list[_Match]:
        """Return where the pairs asked for stand, joined where they touch."""
        found: list[_Match] = []
        for at in range(len(run)):
            for length in (2, 1):
                number = self._terms.get(run[at : at + length])
                if number is None:
                    continue
                begin, end = start + at, start + at + length
                if found and found[-1].end >= begin:
                    found[-1] = _Match(found[-1].start, end, found[-1].term)
                else:
                    found.append(_Match(begin, end, number))
                break
        return found


def _passage(text: str, matches: Sequence[_Match]) -> tuple[int, int]:
    if len(text) <= MAX_SNIPPET:
        return 0, len(text)
    best, best_start = 0, 0
    for first in matches:
        inside = {m.term for m in matches if first.start <= m.start < first.start + 560}
        if len(inside) > best:
            best, best_start = len(inside), first.start
    start = _break_before(text, max(0, best_start - 100))
    end = min(start + MAX_SNIPPET, len(text))
    if end < len(text):
        space = text.rfind(" ", start + MAX_SNIPPET - 80, end)
        end = space if space > start else end
    return start, end


def _break_before(text: str, at: int) -> int:
    """Return the start of the line or word at or before the offset, if one is near."""
    for mark in ("\n", " "):
        found = text.rfind(mark, max(0, at - 60), at)
        if found >= 0:
            return found + 1
    return at
