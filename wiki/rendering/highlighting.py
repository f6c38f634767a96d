"""Code in colour: Pygments' tokens as spans with short class names."""

import functools
import html
import time
from itertools import groupby

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

    def markup(self, code: str, language: str) -> str:
        """Return the code as HTML: everything of it escaped, within spans of ours."""
        return "".join(
            f'<span class="{name}">{html.escape(piece, quote=False)}</span>'
            if name
            else html.escape(piece, quote=False)
            for name, piece in self._spans(code, language)
        )

    def _spans(self, code: str, language: str) -> list[tuple[str, str]]:
        """Return (class name or "", text) pieces that join to the code."""
        lexer = _lexer(language.lower())
        if lexer is None or len(code) > MOST_CODE or self._spent > MOST_TIME_S:
            return [("", code)]
        began = time.monotonic()
        pieces: list[tuple[str, str]] = []
        # Some lexers see no line that does not end.
        tokens = lexer.get_tokens(f"{code}\n")
        for name, group in groupby(tokens, lambda token: _class_name(token[0])):
            pieces.append((name, "".join(text for _, text in group)))
        self._spent += time.monotonic() - began
        last, text = pieces.pop()
        pieces.append((last, text.removesuffix("\n")))
        # Whatever a lexer makes of it, nothing is lost.
        whole = "".join(text for _, text in pieces) == code
        return pieces if whole else [("", code)]


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
