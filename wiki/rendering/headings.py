"""Ids of headings, readable in every script, and the table of contents. Pure."""

import re
import unicodedata
from dataclasses import dataclass, field

PREFIX = "h-"
"""Begins the ids of headings, so that no page text names an element of ours."""
MOST = 80

_GAP = re.compile(r"[\s-]+")


@dataclass(frozen=True, slots=True)
class TocEntry:
    """One line of a table of contents."""

    level: int
    title: str
    id: str


def heading_id(title: str) -> str:
    """Return the id of a heading: its letters, marks and digits, `-` for gaps.

    An id stays as it is, so links may name the heading or its id.
    """
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", title).lower())
    kept = "".join(
        char if char in "-_" or unicodedata.category(char)[0] in "LMN" else " "
        for char in text
        if char not in "'’"
    )
    slug = _GAP.sub("-", kept.strip()).strip("-")[:MOST].rstrip("-")
    slug = slug.removeprefix(PREFIX) or "section"
    return f"{PREFIX}{slug}"


def heading_id_elsewhere(title: str) -> str:
    """Return the id that links of other programs have for a heading, as one of ours.

    On GitHub and wherever its rules are followed, signs vanish without a gap.
    """
    kept = "".join(
        char
        for char in title.lower()
        if char in "-_ " or unicodedata.category(char)[0] in "LMN"
    )
    return heading_id(kept)


@dataclass(slots=True)
class Headings:
    """The headings of one page; gives each an id of its own."""

    entries: list[TocEntry] = field(default_factory=list)
    _used: dict[str, int] = field(default_factory=dict)

    def add(self, level: int, title: str) -> str:
        """Note a heading and return its id."""
        wanted = unique = heading_id(title)
        while unique in self._used:
            self._used[wanted] += 1
            unique = f"{wanted}-{self._used[wanted]}"
        self._used[unique] = 1
        self.entries.append(TocEntry(level, title, unique))
        return unique

    def anchor(self, name: str) -> str:
        """Note a place that the text names itself; return its id, "" if it is taken."""
        made = heading_id(name)
        if not name.strip() or made in self._used:
            return ""
        self._used[made] = 1
        return made
