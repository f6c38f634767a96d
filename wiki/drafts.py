"""What somebody wants to save as a page, checked; one set of rules for every door.

Pure. The text is kept as it came, except that lines end in LF.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from goclaw.lib.errors import BadInput, TooLarge
from goclaw.lib.hidden import DECEIVING, name_of
from memory.drafts import canonical, check_tags, check_text
from wiki.models import MAX_SUMMARY, MAX_TITLE

MAX_BODY_BYTES = 1024 * 1024
"""Longer texts belong into an attachment."""

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\n|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Code, links and raw tags in a heading; a title has only their words.
_MARKS = re.compile(r"`+([^`]*)`+|!?\[([^\]]*)\]\([^)]*\)|</?[A-Za-z][^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What a revision says: title, tags in order, and Markdown."""

    title: str
    body: str
    tags: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Return what two revisions share that say the same."""
        parts = canonical([self.title, list(self.tags), self.body])
        return hashlib.sha256(parts.encode()).hexdigest()

    @property
    def size(self) -> int:
        """Return the bytes of the body."""
        return len(self.body.encode())


def with_lf(body: str) -> str:
    """Return the text with LF where browsers send CRLF; nothing else is touched."""
    return body.replace("\r\n", "\n")


def title_for(body: str, slug: str) -> str:
    """Return a title for a page that came without.

    It is the heading that the text begins with, else its first one of the highest
    level, else the last part of the slug.
    """
    for found in (_opening(body), _first_of_level_1(body)):
        text = "".join(char if _is_printed(char) else " " for char in found)
        if title := " ".join(_MARKS.sub(_words, text.replace("**", "")).split())[
            :MAX_TITLE
        ]:
            return title
    words = slug.rpartition("/")[2].replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _words(mark: re.Match[str]) -> str:
    return mark[1] or mark[2] or ""


def _opening(body: str) -> str:
    found = _HEADING.match(body.lstrip("\n"))
    return found[2] if found else ""


def _first_of_level_1(body: str) -> str:
    fence = ""
    for line in body.split("\n"):
        if mark := _FENCE.match(line):
            fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
        elif not fence and (found := _HEADING.match(line)) and found[1] == "#":
            return found[2]
    return ""


def check_page(text: PageText, summary: str) -> None:
    """Raise `BadInput` or `TooLarge` for the first thing that is wrong."""
    _check_line("title", text.title, MAX_TITLE)
    if not text.title.strip():
        raise BadInput("A page needs a title.", field="title")
    check_text("body", text.body)
    if text.size > MAX_BODY_BYTES:
        raise TooLarge(
            f"The text has {text.size:,} bytes; a page takes {MAX_BODY_BYTES:,}.",
            field="body",
            remedy="Divide it into several pages, or attach it as a file.",
        )
    check_tags(text.tags)
    _check_line("summary", summary, MAX_SUMMARY)


def check_nothing_deceives(text: PageText, summary: str) -> None:
    """Raise `BadInput` for characters that hide words from who reads the page."""
    for field, value in (
        ("body", text.body),
        ("title", text.title),
        ("summary", summary),
    ):
        if found := DECEIVING.search(value):
            line = value.count("\n", 0, found.start()) + 1
            raise BadInput(
                f"Line {line} of the {field} has a hidden character,"
                f" {name_of(found[0])}.",
                code="hidden_characters",
                field=field,
                remedy="Leave such characters out; only people in the browser may"
                " save them.",
            )


def _check_line(name: str, text: str, limit: int) -> None:
    check_text(name, text, limit=limit)
    if not all(map(_is_printed, text)):
        raise BadInput(
            f"The {name} has a line break or a control character.", field=name
        )


def _is_printed(char: str) -> bool:
    """Say whether a line of text, and XML, may hold the character."""
    return unicodedata.category(char) not in {"Cc", "Zl", "Zp", "Cn"}
