"""The one plain thing that a sentence says, if it says one: whose, what, which value.

Pure. Only sentences of a few fixed forms are read, from the first word to the last; all
others say nothing here, and are left to somebody who understands them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory.lifecycle.fields import (
    ADDRESS,
    FIELDS,
    GENERIC,
    SAME,
    SEVERAL,
    UNSURE,
    UNSURE_RUNS,
    Field,
)
from memory.lifecycle.particulars import denials
from memory.lifecycle.scanning import Token, TokenKind, plain, scan
from memory.lifecycle.values import Value, read_value

MAX_CHARS = 200
"""Longer texts say more than one thing."""
MAX_SUBJECT = 6
"""Words of a subject."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said: two claims are about the same if subject and topic are equal.

    With `is_unnamed` it is about whoever says it, and the same only if one person did.
    """

    topic: str
    subject: str
    value: Value
    is_unnamed: bool = False


_ARTICLE = (
    r"(?:(?:the|our|der|die|das|unser|unsere|le|la|les|el|los|il|lo|o|a|het)\s|l')"
)
_NOW = r"(?:\s(?:now|currently|jetzt|maintenant|ahora|ora|agora|nu))?"
_AT = (
    r"(?:\s(?:at|on|set to|reachable at|available at|located at|hosted at|à|sur|en|em"
    r"|op|auf|unter))?"
)
_IS = r"(?:is|ist|est|es|è|é|liegt|está|se trouve)"
_LINK = (
    rf"(?:(?:now\s|ahora\s|ora\s|agora\s)?{_IS}{_NOW}{_AT}{_NOW}"
    r"|(?:has\s)?(?:moved|changed)(?: from \S+)? to)"
)
_OF = r"(?:(?:of|for|von|vom|des|der|für|de|du|del|di|do|da|van)\s|d')"
_END = r"(?:\s(?:now|instead|from now on|jetzt|erreichbar))?"
_START = r"(?:(?:correction|update|korrektur|note)\s*:\s*)?"
_ASIAN_IS = r"(?:现在是|現在是|是|在|位于)"

_LINKING = frozenset({"is", "ist", "est", "es", "è", "é", "está", "has", "from", "to"})
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_START}{_ARTICLE}?(?P<subject>.+?)\s{_LINK}\s(?P<value>\S.*?){_END}",
        r"(?P<subject>[^:=]+?)\s?(?::|=)\s(?P<value>\S+(?:\s\S+)?)",
        r"(?P<subject>.+?)は(?P<value>\S+?)(?:です|である|になりました)?",
        rf"(?P<subject>.+?){_ASIAN_IS}\s?(?P<value>\S+)",
    )
)
_LABELLED = 1
"""The form that needs a field: anything may stand before a colon."""
_HEADED = re.compile(rf"(?P<field>.+?)\s{_OF}{_ARTICLE}?(?P<subject>.+)", re.IGNORECASE)
_INNER_ARTICLE = re.compile(
    r"\s(?:the|our|der|die|das|le|la|les|el|los)\s", re.IGNORECASE
)
_SPACES = re.compile(r"\s+")
_BY_ALIAS = {alias: field for field in FIELDS for alias in field.aliases}
_ALIASES = sorted(_BY_ALIAS, key=len, reverse=True)
_BARE = Field(ADDRESS, (), frozenset({"ip"}))
"""Without a name of the field: only an IP address shows what is meant."""
_RUNS_OS = re.compile(
    rf"{_ARTICLE}?(?:(?:host|server|machine)\s)?(?P<subject>\S+)\sruns\s"
    r"(?P<value>(?:ubuntu|debian|rhel|rocky linux|alpine|windows server|fedora|centos)"
    r"(?:\s\d[\d.]*)?)",
    re.IGNORECASE,
)


@lru_cache(8192)
def claim_of(text: str) -> Claim | None:
    """Return the claim of a plain sentence about what holds now, or None."""
    sentence = sentence_of(text)
    if sentence is None or _is_unsure(scan(sentence)):
        return None
    if match := _RUNS_OS.fullmatch(sentence):
        return _system_of(match)
    for number, form in enumerate(_FORMS):
        match = form.fullmatch(sentence)
        if match is None:
            continue
        for subject, field in _subjects(match["subject"], bare=number != _LABELLED):
            value = read_value(match["value"], field.shapes)
            name = _name_of(subject, field)
            if value and name:
                return Claim(field.name, name, value)
    return None


def sentence_of(text: str) -> str | None:
    """Return the text as one sentence without its end, None if it is no such thing."""
    sentence = _SPACES.sub(" ", plain(text)).strip()
    sentence = re.sub(r"^[-*•]\s", "", sentence).rstrip(".!。")
    if not sentence or len(sentence) > MAX_CHARS or "\n" in text.strip():
        return None
    if re.search(
        r"[?？\"`()\[\]<>;|…。]|(?<!\d)[.!]\s|,(?!\d)|[、，]|'(?!\w)|\s-\s", sentence
    ):
        return None
    return sentence


def _is_unsure(tokens: list[Token]) -> bool:
    """Say whether a word denies, doubts, reports, or speaks of another time."""
    return any(
        denials(token)
        or (token.text in UNSURE and token.text not in _LINKING)
        or (token.kind is TokenKind.NUMBER and token.written.isalpha())
        or any(run in token.text for run in UNSURE_RUNS if not token.text.isascii())
        for token in tokens
    )


def _subjects(written: str, *, bare: bool) -> Iterator[tuple[str, Field]]:
    """Yield the ways to read what stands before the value: a subject and its field."""
    text = written.casefold()
    for alias in _ALIASES:
        for joint in (" ", "-", "'s ", "の", "的"):
            if text.endswith(f"{joint}{alias}"):
                yield written[: -len(joint + alias)], _BY_ALIAS[alias]
    headed = _HEADED.fullmatch(written)
    if headed and headed["field"].casefold() in _BY_ALIAS:
        yield headed["subject"], _BY_ALIAS[headed["field"].casefold()]
    if bare:
        yield written, _BARE


def _name_of(subject: str, field: Field) -> str | None:
    """Return the canonical subject, None if it does not name one certain thing."""
    if _INNER_ARTICLE.search(f" {subject} "):
        return None
    subject = re.sub(r"'s\b", "", subject.casefold())
    tokens = scan(re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", subject))
    words = [SAME.get(token.text, token.text) for token in tokens]
    words = [word for word in words if word not in {"current", "aktuelle"}]
    if not words or len(words) > MAX_SUBJECT:
        return None
    if any(token.kind is TokenKind.MARK for token in tokens):
        return None
    if any(word in UNSURE for word in words) or GENERIC.issuperset(words):
        return None
    if field.name in {ADDRESS, "port"} and any(_is_several(word) for word in words):
        return None
    if field is _BARE and len(words) == 1 and tokens[0].kind is not TokenKind.WORD:
        return None
    return " ".join(words)


def _is_several(word: str) -> bool:
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is", "es"))
    return word in SEVERAL or word.rstrip("s") in SEVERAL or (plural and len(word) > 4)


def _system_of(match: re.Match[str]) -> Claim | None:
    """Return which system a host runs; it has one at a time."""
    host = scan(match["subject"])
    if len(host) != 1 or host[0].kind not in {TokenKind.ADDRESS, TokenKind.IDENTIFIER}:
        return None
    return Claim("system", host[0].text, Value("system", match["value"].casefold()))
