"""Where the words of a text are, in any script, and what an identifier is made of."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

MAX_LEXEME = 200

_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f"  # Thai to Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"  # Hangul
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_MARKS = "".join(
    chr(point)
    for point in range(0x300, 0x1E000)
    if unicodedata.category(chr(point))[0] == "M"
)
_LETTER = rf"[^\W{_UNSPACED}]"
_WORD = rf"{_LETTER}(?:{_LETTER}|[{_MARKS}\u200c\u200d\u0640])*"


def _identifier(word: str) -> str:
    """Return the pattern of words joined by punctuation: paths, versions, C++."""
    return rf"{word}(?:(?:\+\+|\#)(?!\w)|(?:[.\-/:@'+\#&=\\~%]{{1,3}}{word})*)"


_ASCII_LEXEME = re.compile(_identifier(r"\w+"), re.ASCII)
_LEXEME = re.compile(
    rf"[{_UNSPACED}][{_UNSPACED}{_MARKS}]*|{_identifier(_WORD)}"
    "|[\u2600-\u27bf\U0001f000-\U0001faff]"
)
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_CLUSTER = re.compile(rf"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+")
_CLITIC = re.compile(r"'(?:s|m|d|re|ve|ll)$", re.IGNORECASE)
_SEPARATORS = tuple(
    re.compile(pattern) for pattern in (r"[@:/\\=&~%\#+]+", r"-+", r"\.+", r"['_]+")
)
_VERSION = re.compile(r"v(?=\d)", re.IGNORECASE)
_CASES = re.compile(
    r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+"  # HTTPServer, getUserName, sha256
)


def lexemes(text: str) -> Iterator[str]:
    """Return the words, identifiers, unspaced runs and emoji of a text, in order."""
    if text.isascii():
        return (without_clitic(match[0]) for match in _ASCII_LEXEME.finditer(text))
    text = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return (without_clitic(match[0]) for match in _LEXEME.finditer(text))


def lexeme_places(text: str) -> Iterator[re.Match[str]]:
    """Return where the words are as written, for marking them in a text."""
    return (_ASCII_LEXEME if text.isascii() else _LEXEME).finditer(text)


def without_clitic(lexeme: str) -> str:
    """Return a word without its English ending: dog for dog's."""
    return _CLITIC.sub("", lexeme) if "'" in lexeme else lexeme


def is_unspaced(lexeme: str) -> bool:
    """Say whether the script is written without spaces, so words cannot be seen."""
    return _UNSPACED_START.match(lexeme) is not None


def clusters(run: str) -> list[str]:
    """Return the characters of an unspaced run, each with its marks."""
    return _CLUSTER.findall(run)


def pairs(run: list[str]) -> list[str]:
    """Return each two neighbouring characters of an unspaced run."""
    return [first + second for first, second in pairwise(run)]


def taken_apart(lexeme: str) -> tuple[list[str], list[str]]:
    """Return an identifier's wholes (itself, its path segments, ...) and its words.

    A plain word has no wholes. Wholes are case-folded, words are as written.
    """
    if lexeme.isalpha() and (lexeme[1:].islower() or lexeme.isupper()):
        return [], [lexeme]
    wholes: dict[str, None] = {}
    parts = [lexeme, lexeme[1:]] if _VERSION.match(lexeme) else [lexeme]
    for separator in _SEPARATORS:
        wholes |= dict.fromkeys(part.casefold() for part in parts)
        parts = [bit for part in parts for bit in separator.split(part) if bit]
    words: list[str] = []
    for part in parts:
        cases = _CASES.findall(part) if part.isascii() else [part]
        if len(cases) > 1:
            wholes[part.casefold()] = None
        words += cases
    if words == [lexeme]:
        return [], words
    return [whole for whole in wholes if len(whole) <= MAX_LEXEME], words
