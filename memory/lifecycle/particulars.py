"""What a text says exactly: its numbers, dates, addresses and names, and its denials.

Pure. Two texts that differ in any of these never say the same, however alike they look;
a merged text has to keep all of them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from goclaw.lib.config import search_config
from memory.analysis import get_analyser
from memory.lexemes import clusters, is_unspaced, lexemes, pairs
from memory.lifecycle.scanning import HARD, Token, TokenKind, plain, scan
from memory.lifecycle.vocabulary import EMPTY, NEGATED_RUNS, NEGATIONS, OPENERS
from memory.stopwords import ENGLISH

_SPACES = re.compile(r"\s+")
_EDGES = " \t\n.,;:!。！\"'*_-"
_WITHOUT_SUBJECT = ENGLISH | EMPTY


def normalise(text: str) -> str:
    """Return the text without what may differ between two copies of the same.

    That is case, width, kinds of quotes and dashes, spaces, and marks at the ends.
    """
    return _SPACES.sub(" ", plain(text).casefold()).strip(_EDGES)


def particulars(text: str) -> frozenset[str]:
    """Return the numbers (with units), dates, times, addresses and names of a text.

    In canonical form: `5 gb`, `2026-03-04`, `14:00`, `10.0.4.12`, `anna`.
    """
    tokens = tokens_of(text)
    return frozenset(token.text for token in tokens if _is_particular(token))


def missing(sources: Iterable[str], merged: str) -> frozenset[str]:
    """Return the particulars of the sources that the merged text does not keep.

    A name is kept if its word is there, in whatever case or ending.
    """
    tokens = tokens_of(merged)
    hard = {token.text for token in tokens if token.kind in HARD}
    forms = {_form(token) for token in tokens}
    return frozenset(
        token.text
        for source in sources
        for token in tokens_of(source)
        if _is_particular(token)
        and (
            token.text not in hard if token.kind in HARD else _form(token) not in forms
        )
    )


def polarity(text: str) -> int:
    """Return how often the text denies something."""
    return sum(denials(token) for token in tokens_of(text))


def denials(token: Token) -> int:
    """Return how often one token denies something; a run of Chinese may do so twice."""
    if token.kind is not TokenKind.WORD:
        return 0
    if token.text in NEGATIONS or token.text.endswith("n't"):
        return 1
    if token.text.isascii():
        return 0
    return sum(token.text.count(mark) for mark in NEGATED_RUNS)


@lru_cache(8192)
def content_words(text: str) -> frozenset[str]:
    """Return the distinct words with a subject, stemmed; pairs of characters in CJK.

    Numbers and addresses are among them.
    """
    found: set[str] = set()
    for lexeme in lexemes(plain(text)):
        if is_unspaced(lexeme):
            run = clusters(lexeme)
            found.update(pairs(run) if len(run) > 1 else run)
        elif lexeme.casefold() not in _WITHOUT_SUBJECT:
            found.add(_stem(lexeme))
    return frozenset(found)


@lru_cache(4096)
def tokens_of(text: str) -> Sequence[Token]:
    """Return the tokens of a text, remembered for a while."""
    return tuple(scan(text))


def _is_particular(token: Token) -> bool:
    return token.kind in HARD or _is_name(token)


def _is_name(token: Token) -> bool:
    """Say whether a word is written as a name, wherever it stands in its sentence."""
    if token.kind is not TokenKind.WORD or not token.is_capital:
        return False
    if token.text in _WITHOUT_SUBJECT or token.text in NEGATIONS:
        return False
    if not token.opens or not token.written[1:].islower():
        return True
    return token.text not in OPENERS


def _form(token: Token) -> str:
    """Return what different endings of a word have in common."""
    return _stem(token.text) if token.kind is TokenKind.WORD else token.text


def _stem(word: str) -> str:
    return get_analyser(search_config().language).lexeme_tokens(word)[0]
