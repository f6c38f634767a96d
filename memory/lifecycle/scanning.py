"""A text as a row of tokens: numbers, dates, times, addresses, words, marks. Pure.

Equal things get equal texts whatever their notation: `5 GB` and `5gb`, `4 March 2026`
and `2026-03-04`, `2 pm` and `14:00`.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from memory.lexemes import without_clitic
from memory.lifecycle.vocabulary import MONTHS, NUMBER_WORDS, UNITS, WEEKDAYS


class TokenKind(StrEnum):
    """What a token is."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    ADDRESS = "address"
    """Of a host, a mailbox, a file, a page."""
    IDENTIFIER = "identifier"
    """A word with digits or underscores in it: a version, a ticket, a variable."""
    WORD = "word"
    MARK = "mark"
    """Punctuation."""


HARD = frozenset(TokenKind) - {TokenKind.WORD, TokenKind.MARK}
"""What says one exact thing."""


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a text: `text` is canonical and case-folded, `written` is as it was.

    `opens` says that a sentence or a quotation begins with it.
    """

    kind: TokenKind
    text: str
    written: str
    opens: bool = False

    @property
    def is_capital(self) -> bool:
        """Say whether it is written as a name would be."""
        return any(char.isupper() for char in self.written)


def _any_of(words: dict[str, object]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_MONTH = rf"(?i:{_any_of({**MONTHS})})"
_UNIT = rf"(?i:{_any_of({**UNITS})})"
_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff"
_LETTER = r"[^\W\d_]"
_VOWELS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e"
_HALF = r"(?i:am|pm|a\.m\.|p\.m\.|uhr)"
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:1[6-9]|2[01])\d\d"

_ID = "A-Za-z0-9_"
_START = f"(?<![{_ID}.])"
_ALONE = f"(?<![{_ID}.-])"
_STOP = f"(?![{_ID}])"

_PATTERN = re.compile(
    rf"""
      (?P<url>[A-Za-z][A-Za-z0-9+.-]*://[^\s<>"'()\[\]]*[^\s<>"'()\[\].,;:!?])
    | (?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<ip>{_START}\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+|/\d{{1,2}})?
        (?![{_ID}]|\.\d))
    | (?P<iso>{_ALONE}\d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?(?=T\d\d:|(?![{_ID}-])))
    | (?P<east>(?:\d{{4}}年)?\d{{1,2}}月(?:\d{{1,2}}日)?)
    | (?P<dotted>{_START}\d{{1,2}}\.\s?\d{{1,2}}\.\s?{_YEAR}(?!\d))
    | (?P<slashed>(?<![{_ID}/])\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)(?![\d/]))
    | (?P<named>{_START}{_DAY}\s+(?:of\s+|de\s+)?{_MONTH}\b
            (?:\.?,?\s+(?:de\s+)?{_YEAR}\b)?
        |\b{_MONTH}\b\.?\s+{_DAY}(?:,?\s+{_YEAR}\b|(?![\w:.,]|\s?{_UNIT}\b))
        |\b{_MONTH}\b\.?,?\s+(?:de\s+)?{_YEAR}\b)
    | (?P<clock>(?:(?<=\d)T|(?<![{_ID}.:]))\d{{1,2}}:\d\d(?::\d\d)?
            (?:\s?{_HALF})?(?![{_ID}:])
        |(?<![{_ID}.:,])\d{{1,2}}(?:[.]\d\d)?\s?{_HALF}{_STOP}
        |(?<![{_ID}.:,])\d{{1,2}}h\d\d{_STOP}
        |\d{{1,2}}[時点點](?:\d{{1,2}}分)?)
    | (?P<six>(?<![{_ID}:])(?:[0-9A-Fa-f]{{0,4}}:){{2,7}}[0-9A-Fa-f]{{0,4}}(?![{_ID}:]))
    | (?P<path>(?<![{_ID}/])(?:~|\.{{1,2}})?/[\w.-]*[\w-](?:/[\w.-]*[\w-])*/?
        |\b[A-Za-z]:\\[\w\\.-]*\w)
    | (?P<host>{_START}(?=[\w-]*[A-Za-z])[A-Za-z0-9_][A-Za-z0-9_-]*
        (?:\.[A-Za-z0-9_-]*[A-Za-z0-9_])+(?::\d+)?(?:/[\w./-]*\w)?)
    | (?P<identifier>{_ALONE}(?!\d+(?:[.,]\d+)*{_UNIT}\b)(?=[A-Za-z0-9/:\#-]*[0-9_])
        (?=[0-9_-]*[A-Za-z])[A-Za-z0-9_]+(?:[-/:\#][A-Za-z0-9_]+)*)
    | (?P<number>(?:{_ALONE}[-+\u2212])?(?:[€$£]\s?)?
        (?:\d{{1,3}}(?:[,.']\d{{3}})+(?!\d)|\d+)(?:[.,]\d+)*(?:\s?{_UNIT}{_STOP})?)
    | (?P<run>[{_CJK}]+)
    | (?P<word>(?![{_CJK}]){_LETTER}(?:(?![{_CJK}]){_LETTER}|[{_VOWELS}])*
        (?:['-]{_LETTER}+)*(?:\+\+|\#)?)
    | (?P<mark>[^\w\s])
    """,
    re.VERBOSE,
)
_ENDS = frozenset('.!?。！？;:"“”„«»「」『』()[]•*')
_SUPERSCRIPTS = str.maketrans(
    {"⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁶": "^6", "⁹": "^9"}
)
_PLAIN = str.maketrans(
    dict.fromkeys("‘’ʼ`´", "'")
    | dict.fromkeys("‐‑‒–—−", "-")
    | dict.fromkeys("“”„«»", '"')
    | {"\u200b": ""}
)
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_DIGITS = re.compile(r"\d+")
_MONTH_WORD = re.compile(rf"\b{_MONTH}\b")
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+|\d{1,3}(\.\d{3}){2,}|\d{1,3}('\d{3})+")
_NUMBER = re.compile(rf"([-+]?)([€$£]?)\s?([\d.,']+)\s?({_UNIT})?")


def plain(text: str) -> str:
    """Return the text with one form for each digit, width, quote and dash."""
    text = unicodedata.normalize("NFKC", text.translate(_SUPERSCRIPTS))
    text = text.translate(_PLAIN)
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.digit(digit[0])), text)


def scan(text: str) -> list[Token]:
    """Return the tokens of a text in order."""
    text = plain(text)
    found: list[Token] = []
    opens, end = True, 0
    for match in _PATTERN.finditer(text):
        opens = opens or "\n" in text[end : match.start()]
        end = match.end()
        kind, canonical = _read(match.lastgroup or "", match[0])
        found.append(Token(kind, canonical, match[0], opens))
        opens = kind is TokenKind.MARK and match[0] in _ENDS
    return found


def _read(name: str, written: str) -> tuple[TokenKind, str]:
    """Return what a match is, and its canonical text."""
    match name:
        case "iso" | "east" | "dotted" | "slashed" | "named":
            return TokenKind.DATE, _date(name, written)
        case "clock":
            return TokenKind.TIME, _time(written)
        case "number":
            return TokenKind.NUMBER, _number(written)
        case "word" | "run":
            return _word(written)
        case "mark":
            return TokenKind.MARK, written
        case "identifier" | "host":
            return _identifier(name, written)
    return TokenKind.ADDRESS, written.casefold().rstrip("/")


def _date(name: str, written: str) -> str:
    """Return `2026-03-04`, or as much of it as is said: `2026-03`, `--03-04`."""
    numbers = [number.lstrip("0") or "0" for number in _DIGITS.findall(written)]
    if name == "slashed":
        return "/".join(numbers)  # day first, or month first: nobody knows
    if name == "dotted":
        numbers.reverse()
    elif name == "named":
        month = MONTHS[_MONTH_WORD.findall(written)[0].casefold()]
        year = [number for number in numbers if len(number) == 4]
        day = [number for number in numbers if len(number) < 4]
        numbers = [*(year or [""]), str(month), *day]
    elif name == "east" and "年" not in written:
        numbers.insert(0, "")
    first, *others = numbers
    return "-".join([first or "-", *(number.zfill(2) for number in others)])


def _time(written: str) -> str:
    """Return `14:00`, with seconds only where there are any but zero."""
    hour, minute, second = (*map(int, _DIGITS.findall(written)), 0, 0)[:3]
    half = written.casefold().replace(".", "")
    if half.endswith("pm") and hour < 12:
        hour += 12
    elif half.endswith("am") and hour == 12:
        hour = 0
    return f"{hour:02}:{minute:02}" + (f":{second:02}" if second else "")


def _number(written: str) -> str:
    """Return the digits, with the unit if there is one: `1000`, `3.5 gb`."""
    match = _NUMBER.fullmatch(written)
    if match is None:
        return written
    sign, currency, digits, unit = match.groups()
    if _GROUPED.fullmatch(digits):
        digits = re.sub(r"\D", "", digits)
    elif digits.count(",") == 1 and "." not in digits:
        digits = digits.replace(",", ".")
    named = UNITS.get((unit or currency).casefold(), "")
    return f"{'-' if sign == '-' else ''}{digits} {named}".strip()


def _word(written: str) -> tuple[TokenKind, str]:
    text = without_clitic(written.casefold())
    if text in NUMBER_WORDS:
        return TokenKind.NUMBER, str(NUMBER_WORDS[text])
    if text in WEEKDAYS and (written[0].isupper() or len(text) > 3):
        return TokenKind.DATE, f"day {WEEKDAYS[text]}"
    if text in MONTHS and written[0].isupper():
        return TokenKind.DATE, f"--{MONTHS[text]:02}"
    return TokenKind.WORD, text


def _identifier(name: str, written: str) -> tuple[TokenKind, str]:
    text = written.casefold()
    if re.fullmatch(r"v\d+(\.\d+)*", text):
        return TokenKind.NUMBER, text[1:]
    return (TokenKind.ADDRESS if name == "host" else TokenKind.IDENTIFIER), text
