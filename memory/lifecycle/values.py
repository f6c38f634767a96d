"""Values that statements give to something, and whether two of them exclude each other.

Pure. A value that only says more than the other (`16` and `16.2`, `March` and `4 March
2026`, `Anna` and `Anna Schmidt`), or may be the same in another notation (`CET` and
`Europe/Berlin`), excludes nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from zoneinfo import ZoneInfo

from memory.lifecycle.scanning import Token, TokenKind, scan
from memory.lifecycle.vocabulary import words

TIME = {"ms": "0.001", "s": "1", "min": "60", "h": "3600", "day": "86400"} | {
    "week": "604800"
}
BYTES = {
    name: str(base**power)
    for power, letter in enumerate("kmgt", 1)
    for name, base in ((f"{letter}b", 1000), (f"{letter}ib", 1024))
} | {"b": "1"}
_DIMENSIONS = {unit: ("time", Decimal(size)) for unit, size in TIME.items()} | {
    unit: ("bytes", Decimal(size)) for unit, size in BYTES.items()
}
_MONEY = frozenset({"eur", "usd", "gbp"})
_IP = re.compile(r"\d+(?:\.\d+){3}(?::\d+)?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)*(?:-?(?:rc|alpha|beta|lts)[\d.]*)?")
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d+)?")
_PERSON = re.compile(r"(?:[^\W\d_a-z][^\W\dA-Z_][^\W\d_]*(?: |$)){1,2}")
_NOBODY = words("unknown vacant open nobody none pending unbekannt offen")
_BRANCHES = words("main master trunk develop dev stable production")
_LEVELS = words("trace debug info notice warn warning error critical")


@dataclass(frozen=True, slots=True)
class Value:
    """One value: values of different shapes say nothing about each other."""

    shape: str
    text: str


def read_value(written: str, shapes: frozenset[str]) -> Value | None:
    """Return the value if the text is exactly one, of one of the shapes."""
    for shape in _SHAPES:
        if shape in shapes and (value := _SHAPES[shape](written)):
            return value
    return None


def exclude_each_other(one: Value, other: Value) -> bool:
    """Say whether not both values can hold for one thing at one time."""
    if one.shape != other.shape or one.text == other.text:
        return False
    shape = one.shape
    if shape in {"ip", "host"}:
        return _other_place(one.text, other.text)
    if shape == "version":
        return not _begins(one.text, other.text, ".")
    if shape == "url":
        return not _begins(_bare(one.text), _bare(other.text), "/")
    if shape == "date":
        return _other_day(one.text, other.text)
    if shape == "person":
        names = [set(text.split()) for text in (one.text, other.text)]
        return not (names[0] <= names[1] or names[1] <= names[0])
    return True


def _bare(url: str) -> str:
    return re.sub(r"^\w+://(www\.)?", "", url)


def _begins(one: str, other: str, separator: str) -> bool:
    """Say whether one is the other's beginning, part by part."""
    short, long = sorted(
        (text.rstrip(separator).split(separator) for text in (one, other)), key=len
    )
    return long[: len(short)] == short


def _other_place(one: str, other: str) -> bool:
    """Say whether two addresses differ in more than that one has a port, or domain."""
    places = [re.fullmatch(r"(.+?)(?::(\d+))?", text) for text in (one, other)]
    (host, port), (other_host, other_port) = (
        place.groups() for place in places if place is not None
    )
    if host == other_host:
        return port is not None and other_port is not None
    if host.replace(".", "").isdigit():
        return True
    within = host.startswith(f"{other_host}.") or other_host.startswith(f"{host}.")
    below = host.endswith(f".{other_host}") or other_host.endswith(f".{host}")
    return not (within or below)


def _other_day(one: str, other: str) -> bool:
    """Say whether two dates, each as exact as it was said, cannot be the same day."""
    parts = [
        re.fullmatch(r"(\d{4}|-)-(\d\d)(?:-(\d\d))?", date) for date in (one, other)
    ]
    if None in parts:
        return False
    pairs = zip(*(part.groups() for part in parts if part), strict=True)
    return any(a and b and a != b and "-" not in (a, b) for a, b in pairs)


# --- reading -------------------------------------------------------------------------
def _only(written: str) -> Token | None:
    """Return the one token that the text consists of."""
    tokens = scan(written)
    return tokens[0] if len(tokens) == 1 else None


def _ip(written: str) -> Value | None:
    token = _only(written)
    if token is None or token.kind is not TokenKind.ADDRESS:
        return None
    if _IP.fullmatch(token.text):
        return Value("ip", token.text)
    if re.fullmatch(r"[\d.]+/\d+", token.text):
        return Value("network", token.text)
    return Value("six", token.text) if token.text.count(":") > 1 else None


def _host(written: str) -> Value | None:
    token = _only(written)
    named = token is not None and (
        token.kind is TokenKind.IDENTIFIER or "." in token.text
    )
    if token is None or not named or token.kind is TokenKind.NUMBER:
        return None
    return Value("host", token.text) if _HOST.fullmatch(token.text) else None


def _addressed(shape: str, mark: str) -> Callable[[str], Value | None]:
    def read(written: str) -> Value | None:
        token = _only(written)
        if token is None or token.kind is not TokenKind.ADDRESS:
            return None
        return Value(shape, token.text) if mark in token.text else None

    return read


def _amount(written: str) -> Value | None:
    """Return a number in the smallest unit of its dimension: `time 30`."""
    token = _only(written)
    if token is None or token.kind is not TokenKind.NUMBER:
        return None
    digits, _, unit = token.text.partition(" ")
    try:
        number = Decimal(digits)
    except InvalidOperation:
        return None
    name, size = _DIMENSIONS.get(unit, (unit, Decimal(1)))
    if unit in _MONEY:
        name = f"money {unit}"
    return Value(f"amount {name}".strip(), str((number * size).normalize()))


def _count(written: str) -> Value | None:
    value = _amount(written)
    return value if value and value.shape == "amount" else None


def _version(written: str) -> Value | None:
    text = written.casefold().removeprefix("version ")
    if not _VERSION.fullmatch(text):
        return None
    return Value("version", text.removeprefix("v"))


def _date(written: str) -> Value | None:
    token = _only(written)
    dated = token is not None and token.kind is TokenKind.DATE
    return Value("date", token.text) if token and dated else None


def _clock(written: str) -> Value | None:
    token = _only(written)
    timed = token is not None and token.kind is TokenKind.TIME
    return Value("clock", token.text) if token and timed else None


def _zone(written: str) -> Value | None:
    """Return a zone of the IANA list; CET and its like may be the same as one."""
    if "/" not in written:
        return None
    try:
        return Value("zone", ZoneInfo(written).key.casefold())
    except (ValueError, OSError, KeyError):
        return None


def _person(written: str) -> Value | None:
    name = written.casefold()
    named = _PERSON.fullmatch(written) and _NOBODY.isdisjoint(name.split())
    return Value("person", name) if named else None


def _one_of(shape: str, words: frozenset[str]) -> Callable[[str], Value | None]:
    def read(written: str) -> Value | None:
        word = written.casefold()
        return Value(shape, word) if word in words else None

    return read


_SHAPES: dict[str, Callable[[str], Value | None]] = {
    "ip": _ip,
    "url": _addressed("url", "://"),
    "mail": _addressed("mail", "@"),
    "host": _host,
    "version": _version,
    "count": _count,
    "amount": _amount,
    "date": _date,
    "clock": _clock,
    "zone": _zone,
    "person": _person,
    "branch": _one_of("branch", _BRANCHES),
    "level": _one_of("level", _LEVELS),
}
