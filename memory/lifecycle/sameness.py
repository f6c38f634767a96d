"""Whether two texts say the very same, in almost the same words. Pure.

Texts that are merely alike are not: "runs before the deploy" and "runs after the
deploy", "Anna reports to Bob" and "Bob reports to Anna", "likes tea" and "likes wine".
"""

from difflib import SequenceMatcher
from functools import lru_cache

from memory.lifecycle.particulars import denials, normalise, tokens_of
from memory.lifecycle.scanning import Token, TokenKind
from memory.lifecycle.vocabulary import EMPTY, SYNONYMS

RATIO = 0.85
"""How alike two texts have to be written to be taken for one, from 0 to 1."""


def same(one: str, other: str, *, ratio: float = RATIO) -> bool:
    """Say whether two texts are one: equal in content, and alike enough as written."""
    return claim(one) == claim(other) and likeness(one, other) >= ratio


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are as written, 0 to 1, by Ratcliff and Obershelp."""
    a, b = normalise(one), normalise(other)
    return 1.0 if a == b else SequenceMatcher(None, a, b, autojunk=False).ratio()


@lru_cache(8192)
def claim(text: str) -> tuple[str, ...]:
    """Return what a text says, word by word: equal for texts that say the same.

    Words without content are left out, endings and some synonyms are one, denials stay.
    """
    words = tuple(_root(token) for token in tokens_of(text) if _tells(token))
    return words or (normalise(text),)


def _tells(token: Token) -> bool:
    if token.kind is TokenKind.MARK:
        return token.text == "?"
    return token.text not in EMPTY


def _root(token: Token) -> str:
    if token.kind is not TokenKind.WORD:
        return token.text
    if denials(token):
        return "not" if token.text.removesuffix("n't") in EMPTY else token.text
    return SYNONYMS.get(token.text, _without_ending(token.text))


def _without_ending(word: str) -> str:
    """Return an English word without the endings of plural, person and course.

    The past keeps its own: what was deployed need not be what one deploys.
    """
    if not word.isascii() or len(word) <= 3:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("ing") and len(word) > 5:
        word = word[:-3]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
            word = word[:-1]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.removesuffix("e")
