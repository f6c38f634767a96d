"""Characters that nobody sees, and what to show in their place. Pure.

They make two texts look alike that are not, or carry words past whoever reads.
"""

import re
import unicodedata
from collections.abc import Iterator

# Controls; spaces that are no plain space; what joins, separates, turns the direction
# or fills; selectors of variants; tags, which spell whole sentences unseen.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ufdd0-\ufdef\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)

# Of these, what no writing system needs: it only serves to carry words past readers.
# The joiners of Persian and of emoji, and the marks of direction, are not among them.
DECEIVING = re.compile(
    "[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]"
)


def name_of(char: str) -> str:
    """Return the code and, where it has one, the name: `U+200B zero width space`."""
    return f"U+{ord(char):04X} {unicodedata.name(char, '').lower()}".strip()


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield (text, "") for what can be seen, (character, its name) for what cannot."""
    if text.isascii() and text.isprintable():  # as most are; much sooner said
        if text:
            yield text, ""
        return
    at = 0
    for found in HIDDEN.finditer(text):
        if at < found.start():
            yield text[at : found.start()], ""
        yield found[0], name_of(found[0])
        at = found.end()
    if at < len(text):
        yield text[at:], ""


def without_deceiving(text: str) -> str:
    """Return the text without what only deceives, for readers who do not look."""
    return DECEIVING.sub("", text)
