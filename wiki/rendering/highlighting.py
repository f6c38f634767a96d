"""Code in colour: Pygments' tokens as spans with short class names."""

import functools
import time
from collections.abc import Iterator

import pygments.lexers
from pygments.lexer import Lexer
from pygments.lexers._mapping import LEXERS
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

MOST_CODE = 100_000
"""Longer blocks stay plain."""
MOST_TIME_S = 1.5
"""After that long the rest of a page stays plain."""


class Highlighter:
    """Colours the code of one page, while there is time."""

    def __init__(self) -> None:
        self._spent = 0.0

    def spans(self, code: str, language: str) -> Iterator[tuple[str, str]]:
        """Yield (class name or "", text) pieces that join to the code."""
        lexer = _lexer(language.lower())
        if lexer is None or len(code) > MOST_CODE or self._spent > MOST_TIME_S:
            yield "", code
            return
        began = time.monotonic()
        last, text = "", ""
        for kind, piece in lexer.get_tokens(code):
            name = _class_name(kind)
            if name != last and text:
                yield last, text
                text = ""
            last, text = name, text + piece
        if text:
            yield last, text
        self._spent += time.monotonic() - began


@functools.cache
def _aliases() -> dict[str, str]:
    """Return the class of each language; plugins of other packages are not asked."""
    return {
        alias: name for name, (_, _, names, *_) in LEXERS.items() for alias in names
    }


@functools.lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    name = _aliases().get(language)
    if name is None:
        return None
    try:
        kind = getattr(pygments.lexers, name)
    except (AttributeError, ClassNotFound):
        return None
    made: Lexer = kind(stripnl=False, ensurenl=False)
    return made


@functools.cache
def _class_name(kind: _TokenType) -> str:
    while kind not in STANDARD_TYPES:
        kind = kind.parent
    return str(STANDARD_TYPES[kind])
