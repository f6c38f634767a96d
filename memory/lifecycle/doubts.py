"""What no model can talk away: signs that a newer text does not replace an older. Pure.

A weak model says yes to anything. These hold whatever it says.
"""

from memory.lifecycle.fields import SAME
from memory.lifecycle.particulars import tokens_of
from memory.lifecycle.vocabulary import words

ENVIRONMENTS = words(
    """
    production staging development test testing qa demo sandbox preview live local
    produktion entwicklung produktiv
    本番 ステージング 测试 生产
    """
)
"""Places where the same thing exists once more."""
_DOUBTFUL = words(
    """
    maybe perhaps probably possibly might could if unless apparently allegedly
    supposedly suggested proposed planned plan plans
    vielleicht wahrscheinlich könnte falls angeblich geplant
    peut-être probablement pourrait quizás probablemente podría
    """
)
_PAST = words("was were had war waren hatte était étaient era eran formerly früher")


def doubt(older: str, newer: str) -> str | None:
    """Return why a newer text does not replace an older one, in a word, or None."""
    if "?" in newer or "？" in newer:
        return "question"
    said = _words(newer)
    if said & _DOUBTFUL:
        return "doubtful"
    if said & _PAST and not _words(older) & _PAST:
        return "past"
    if _words(older) & ENVIRONMENTS != said & ENVIRONMENTS:
        return "environment"
    return None


def _words(text: str) -> frozenset[str]:
    found = {SAME.get(token.text, token.text) for token in tokens_of(text)}
    return frozenset(found) | {
        name for name in ENVIRONMENTS if not name.isascii() and name in text
    }
