"""Where links lead: wiki links in text, and which addresses a page may hold. Pure."""

import html
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urljoin, urlsplit

from goclaw.lib.errors import BadInput
from wiki import slugs
from wiki.rendering.headings import heading_id

WIKI_LINK = re.compile(
    r"\[\[([^\[\]|\n\x02\x03]{1,300})(?:\\?\|([^\[\]\n]{0,300}))?\]\]"
)
"""`[[slug]]`, `[[slug#heading]]`, `[[slug|label]]`; `\\|` as written in tables."""

SCHEMES = frozenset({"http", "https", "mailto"})
PAGES = "/wiki/"
_IGNORED = re.compile(
    r"[\s\x00-\x20\x7f-\xa0\xad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SCHEME = re.compile(r"([^/?#:]*):")
_OWN_MEDIA = re.compile(r"/media/[0-9a-f-]{36}")


@dataclass(frozen=True, slots=True)
class Link:
    """An address that is safe to show; `slug` when it leads to a page of the wiki."""

    href: str
    slug: str = ""
    external: bool = False


def slug_of(target: str) -> str:
    """Return the slug that a wiki link means; "" when it can mean none.

    A title in place of a slug means the slug that such a title gets.
    """
    text = target.strip().strip("/")
    try:
        return slugs.parse(text)
    except BadInput:
        pass
    parts = [part.strip() for part in text.split("/")]
    if parts[0].lower() in slugs.RESERVED:
        return ""
    if not all(any(char.isalnum() for char in part) for part in parts):
        return ""
    try:
        return slugs.parse("/".join(map(slugs.from_title, parts)))
    except BadInput:
        return ""


def wiki_link(target: str) -> Link | None:
    """Return where `[[target]]` leads, `#heading` included; None for no slug."""
    name, _, heading = target.partition("#")
    if not name.strip() and heading.strip():
        return Link(f"#{heading_id(heading)}")
    slug = slug_of(name)
    if not slug:
        return None
    anchor = f"#{heading_id(heading)}" if heading.strip() else ""
    return Link(f"{PAGES}{quote(slug)}{anchor}", slug=slug)


def address(value: str, base: str) -> Link | None:
    """Return a link of a page as it may be shown, or None when it may not.

    `value` is the attribute as written, entities and all; `base` is the path of the
    page, which relative addresses start from. Browsers decode entities and skip
    characters that cannot be seen, so both happens before the scheme is looked at.
    """
    text = _usable(value)
    if not text:
        return None
    scheme = _SCHEME.match(_IGNORED.sub("", text))
    if scheme:
        name = scheme[1].lower()
        if name not in SCHEMES or not text.lower().startswith(f"{name}:"):
            return None
        if name == "mailto":
            return Link(text)
        return Link(text, external=True) if _has_host(text) else None
    if text.startswith("#"):
        anchor = unquote(text[1:])
        return Link(f"#{heading_id(anchor)}") if anchor else Link("#")
    if text.startswith("//"):
        return Link(text, external=True) if _has_host(text) else None
    return _own(text, base)


def _own(text: str, base: str) -> Link | None:
    """Return a link within this site; those to pages with the heading's id."""
    try:
        parts = urlsplit(urljoin(base, text))
    except ValueError:
        return None
    path = parts.path or "/"
    if parts.netloc or not path.startswith("/") or path.startswith("//"):
        return None
    query = f"?{parts.query}" if parts.query else ""
    slug = slug_of(unquote(path[len(PAGES) :])) if path.startswith(PAGES) else ""
    if path.startswith(f"{PAGES}{slugs.VERBS}/") or path.endswith(".md"):
        slug = ""
    anchor = f"#{parts.fragment}" if parts.fragment else ""
    if slug:
        path = f"{PAGES}{quote(slug)}"
        anchor = f"#{heading_id(unquote(parts.fragment))}" if parts.fragment else ""
    return Link(f"{path}{query}{anchor}", slug=slug)


def image(value: str, *, remote: bool) -> str | None:
    """Return the address of an image that may be shown where it stands, or None."""
    text = _usable(value)
    if _OWN_MEDIA.fullmatch(text):
        return text
    if remote and text.lower().startswith(("https://", "http://")) and _has_host(text):
        return text
    return None


def _usable(value: str) -> str:
    """Return an attribute decoded, and without what browsers leave out."""
    text = _CONTROL.sub("", html.unescape(value)).strip()
    return text.replace("\\", "/").replace(" ", "%20")


def _has_host(text: str) -> bool:
    try:
        return bool(urlsplit(text).netloc)
    except ValueError:
        return False


def extract_links(text: str) -> list[str]:
    """Return the slugs that the wiki links of a Markdown text lead to, each once.

    By a quick look at the text: what stands in code, fenced or inline, is no link.
    """
    found: dict[str, None] = {}
    for line in _prose(text):
        for match in WIKI_LINK.finditer(line):
            link = wiki_link(match[1])
            if link and link.slug:
                found[link.slug] = None
    return list(found)


_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")


def _prose(text: str) -> list[str]:
    """Return the lines outside of fences, code spans blanked."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            bare = line.strip(" >")
            if len(bare) >= len(fence) and not bare.strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            lines.append(_without_code(line))
    return lines


def _without_code(line: str) -> str:
    marks = list(_TICKS.finditer(line))
    if not marks:
        return line
    waiting: dict[int, list[int]] = {}
    for at, mark in enumerate(marks):
        waiting.setdefault(len(mark[0]), []).append(at)
    kept, end, at = [], 0, 0
    while at < len(marks):
        same = waiting[len(marks[at][0])]
        while same and same[0] <= at:
            same.pop(0)
        if same:
            kept.append(line[end : marks[at].start()])
            end = marks[same[0]].end()
            at = same[0]
        at += 1
    return "".join([*kept, line[end:]])
