"""Slugs: the addresses of pages, such as `ops/runbooks/postgres-failover`. Pure.

A slug is lower case and NFC, made of segments of letters, digits, `-` and `_` of any
script. Its *key* is folded further (`straße` and `strasse` have the same one) and is
what has to be unique. Nothing that looks like another slug without being it gets in: no
invisible characters, no compatibility forms, no words mixed from look-alike scripts.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from goclaw.lib.errors import BadInput

MAX_SLUG = 200
"""Characters of a slug, and of its key."""

VERBS = "-"
"""The first segment below which the verbs of the wiki live."""
RESERVED = frozenset({VERBS, "wikijs"})
"""First segments that no page may have: the verbs, and copies of Wiki.js sites."""

_JOINERS = "-_"
_WORDS = re.compile(r"[-_]+")
# Letters of these scripts are drawn alike; a word of two of them is a disguise.
_LOOK_ALIKES = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"})
# In the names of letters and marks that nobody sees.
_UNSEEN = ("VARIATION SELECTOR", "FILLER", "GRAPHEME JOINER", "VOWEL INHERENT")
# Compatibility characters with which Thai and Lao are written every day.
_EVERYDAY = frozenset("\u0e33\u0eb3")


def parse(text: str) -> str:
    """Return the canonical slug of a text; raises BadInput for what is none.

    Case and composition are mended, everything else is refused with its reason.
    """
    slug = canonical(text)
    if not slug:
        raise _bad("A slug cannot be empty.")
    segments = slug.split("/")
    if segments[0] in RESERVED:
        raise BadInput(
            f"No page can lie below {segments[0]!r}.",
            code="slug_reserved",
            field="slug",
        )
    for segment in segments:
        _check_segment(segment)
    if len(slug) > MAX_SLUG or len(key(slug)) > MAX_SLUG:
        raise _bad(f"A slug has at most {MAX_SLUG} characters.")
    return slug


def canonical(text: str) -> str:
    """Return the text in the one case and composition that slugs are written in."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())


def key(slug: str) -> str:
    """Return what two slugs must not share: case and compatibility folded away."""
    folded = unicodedata.normalize("NFKC", slug).casefold()
    return unicodedata.normalize("NFC", folded)


def from_title(title: str) -> str:
    """Return a segment for a title of any script; the same title gives the same one.

    A title without letters and digits gets a name made from its hash.
    """
    text = canonical("".join(map(_plain, title)))
    kept = "".join(char if _is_allowed(char) else "-" for char in text)
    words = [part for word in _WORDS.split(kept) for part in _unmixed(word)]
    segment = "-".join(words)[: MAX_SLUG // 2].strip(_JOINERS)
    while segment and _is_mark(segment[0]):
        segment = segment[1:].lstrip(_JOINERS)
    if segment and segment not in RESERVED:
        return segment
    return f"page-{hashlib.sha256(title.encode()).hexdigest()[:10]}"


def parent(slug: str) -> str:
    """Return the slug, or key, one level up; "" for a page at the top."""
    return slug.rpartition("/")[0]


def ancestors(slug: str) -> list[str]:
    """Return the slugs, or keys, above, from the top down, without the slug itself."""
    segments = slug.split("/")
    return ["/".join(segments[:depth]) for depth in range(1, len(segments))]


def is_under(slug: str, section: str) -> bool:
    """Say whether the slug is the section or below it, by whole segments.

    The section "" is the whole wiki. Both are slugs, or both are keys.
    """
    return not section or slug == section or slug.startswith(f"{section}/")


def below(section: str) -> tuple[str, str]:
    """Return the bounds [low, high) of what sorts below a section, by code points."""
    return f"{section}/", f"{section}0"  # "0" follows "/"


def _check_segment(segment: str) -> None:
    if not segment:
        raise _bad("A slug has no empty segments.")
    for char in segment:
        if not _is_allowed(char):
            raise _bad(
                f"A slug cannot contain {char!r} (U+{ord(char):04X}).",
                remedy="Use letters and digits of any script, '-' and '_', and '/'"
                " between segments.",
            )
    if segment[0] == "-" or _is_mark(segment[0]):
        raise _bad("A segment begins with a letter, a digit or '_'.")
    if not any(unicodedata.category(char)[0] in "LN" for char in segment):
        raise _bad("A segment needs a letter or a digit.")
    for word in _WORDS.split(segment):
        if len(list(_unmixed(word))) > 1:
            raise _bad(
                f"The word {word!r} mixes scripts whose letters look alike.",
                remedy="Write it in one script, or put '-' between the parts.",
            )


def _is_allowed(char: str) -> bool:
    """Say whether a slug may hold the character: no symbol, and no disguised letter."""
    if char in _JOINERS or char in _EVERYDAY:
        return True
    return (
        unicodedata.category(char)[0] in "LMN"
        and not any(word in _name(char) for word in _UNSEEN)
        and not unicodedata.decomposition(char).startswith("<")
    )


def _plain(char: str) -> str:
    return char if char in _EVERYDAY else unicodedata.normalize("NFKC", char)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _unmixed(word: str) -> Iterator[str]:
    """Yield the runs of a word between which the look-alike script changes."""
    start, script = 0, ""
    for at, char in enumerate(word):
        found = _name(char).partition(" ")[0]
        if found not in _LOOK_ALIKES:
            continue
        if script and found != script:
            yield word[start:at]
            start = at
        script = found
    if word[start:]:
        yield word[start:]


def _name(char: str) -> str:
    return unicodedata.name(char, "")


def _bad(message: str, *, remedy: str | None = None) -> BadInput:
    return BadInput(message, code="bad_slug", field="slug", remedy=remedy)
