"""The last step: only what is allowed by name leaves here. THE place that cleans HTML.

bleach parses the HTML and drops what is not on the lists; what it lets through passes
our own filter as tokens, which checks addresses, gives ids, draws task boxes and
colours code. The serializer then writes every text and every attribute escaped; code in
colour comes to it escaped, as one token instead of several for each word.
"""

import functools
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bleach.html5lib_shim import Filter
from bleach.sanitizer import Cleaner

from wiki.rendering.headings import Headings
from wiki.rendering.highlighting import Highlighter
from wiki.rendering.inline import TAGS
from wiki.rendering.links import SCHEMES, Link, address, image
from wiki.rendering.outline import Attributes, Token, text_of, with_heading_ids

_NUMBER = re.compile(r"[1-9]\d{0,3}")
_OURS = """
    admonition admonition-title footnote footnote-ref footnote-backref task done note
    tip important warning caution danger error hint attention info success question
    failure bug example quote abstract summary todo
"""
_CLASSES = frozenset(_OURS.split())
_LANGUAGE = re.compile(r"language-[A-Za-z0-9_+#.-]{1,32}")


def _allowed(tag: str, name: str, value: str) -> bool:
    """Say whether bleach may keep an attribute."""
    match name:
        case "class":
            return True  # reduced to known names by the filter
        case "href":
            return tag == "a"
        case "title":
            return tag in {"a", "abbr", "dfn", "img"}
        case "src" | "alt":
            return tag == "img"
        case "width" | "height":
            return tag == "img" and bool(_NUMBER.fullmatch(value))
        case "align":
            return tag in {"td", "th"} and value in {"left", "right", "center"}
        case "colspan" | "rowspan":
            return tag in {"td", "th"} and bool(_NUMBER.fullmatch(value))
        case "start":
            return tag == "ol" and value.isascii() and value.isdigit()
        case "open":
            return tag == "details"
        case "id":
            return tag == "a" or (tag in {"li", "sup"} and value.startswith("fn"))
        case "name":
            return tag == "a"
    return False


@dataclass(slots=True)
class Page:
    """What is found out about a page while it is cleaned."""

    base: str
    remote_images: bool
    headings: Headings = field(default_factory=Headings)
    links: dict[str, None] = field(default_factory=dict)
    text: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    highlighter: Highlighter = field(default_factory=Highlighter)


def clean(markup: str, page: Page) -> str:
    """Return the HTML with nothing in it that is not allowed; notes what it finds."""
    cleaner = Cleaner(
        tags=TAGS,
        attributes=_allowed,
        protocols=SCHEMES,
        strip=True,
        strip_comments=True,
        filters=[functools.partial(_PageFilter, page=page)],
    )
    cleaned: str = cleaner.clean(markup)
    # Text and attributes are escaped by now, so this can only be an element.
    return cleaned.replace("<p></p>", "").strip()


class _PageFilter(Filter):
    """Finishes the tokens that bleach let through."""

    def __init__(self, source: Iterable[Token], *, page: Page) -> None:
        super().__init__(source)
        self.page = page

    def __iter__(self) -> Iterator[Token]:
        finished = self._finished(super().__iter__())
        titled = with_heading_ids(finished, self.page.headings, self.page.text)
        return _with_code(titled, self.page)

    def _finished(self, source: Iterable[Token]) -> Iterator[Token]:
        kept_links: list[bool] = []
        for token in source:
            kind, name = token["type"], token.get("name")
            if kind in {"StartTag", "EmptyTag"}:
                attributes = self._attributes(token)
                if name == "a":
                    kept_links.append(
                        bool({(None, "href"), (None, "id")} & {*attributes})
                    )
                    if not kept_links[-1]:
                        continue
                token["data"] = attributes
                if name == "img":
                    yield from self._image(attributes)
                    continue
                yield token
                classes = attributes.get((None, "class"), "").split()
                if name == "li" and "task" in classes:
                    yield _box(done="done" in classes)
            elif kind == "EndTag" and name == "a":
                if not kept_links or kept_links.pop():
                    yield token
            else:
                yield token

    def _attributes(self, token: Token) -> Attributes:
        kept: Attributes = {}
        for (_, name), value in token["data"].items():
            if name == "class":
                value = _known_classes(token["name"], value)
                if not value:
                    continue
            elif token["name"] == "a" and name in {"id", "name"}:
                value = self.page.headings.anchor(html.unescape(value))
                if not value or (None, "id") in kept:
                    continue
                name = "id"
            elif name == "id":
                value = self._note_id(html.unescape(value), defines=True)
                if not value:
                    continue
            elif name == "href":
                self._add_link(kept, value)
                continue
            kept[None, name] = value
        return kept

    def _add_link(self, kept: Attributes, value: str) -> None:
        if value.startswith(("#fn:", "#fnref")):
            kept[None, "href"] = f"#{self._note_id(html.unescape(value[1:]))}"
            return
        link: Link | None = address(value, self.page.base)
        if link is None:
            return
        kept[None, "href"] = _escaped(link.href)
        if link.slug:
            self.page.links[link.slug] = None
            kept[None, "class"] = "wikilink"
            kept[None, "data-slug"] = link.slug
        elif link.external:
            kept[None, "rel"] = "noopener nofollow"

    def _note_id(self, name: str, *, defines: bool = False) -> str:
        """Return our id for a footnote or one of its uses; "" if it is taken."""
        ours = self.page.notes.setdefault(name, f"fn-{len(self.page.notes) + 1}")
        if defines and ours in self.page.defined:
            return ""
        if defines:
            self.page.defined.add(ours)
        return ours

    def _image(self, attributes: Attributes) -> Iterator[Token]:
        """Yield the image, or a link to it when it lies with somebody else."""
        given = attributes.pop((None, "src"), "")
        source = image(given, remote=self.page.remote_images)
        if source:
            attributes = {(None, "src"): _escaped(source)} | attributes
            attributes.setdefault((None, "alt"), "")
            attributes[None, "loading"] = "lazy"
            yield {"type": "EmptyTag", "name": "img", "data": attributes}
            return
        label = attributes.get((None, "alt")) or "image"
        link = address(given, self.page.base)
        text = {"type": "Characters", "data": html.unescape(label)}
        if link is None or not link.external:
            yield text
            return
        self_link: Attributes = {
            (None, "href"): _escaped(link.href),
            (None, "class"): "remote-image",
            (None, "rel"): "noopener nofollow",
        }
        yield {"type": "StartTag", "name": "a", "data": self_link}
        yield text
        yield {"type": "EndTag", "name": "a"}


def _known_classes(tag: str, value: str) -> str:
    if tag == "code" and _LANGUAGE.fullmatch(value):
        return value
    return " ".join(name for name in value.split() if name in _CLASSES)


def _escaped(address: str) -> str:
    """Write an address so that bleach's serializer, which keeps entities, keeps it."""
    return address.replace("&", "&amp;")


def _box(*, done: bool) -> Token:
    data: Attributes = {(None, "type"): "checkbox", (None, "disabled"): ""}
    if done:
        data[None, "checked"] = ""
    data[None, "aria-label"] = "done" if done else "to do"
    return {"type": "EmptyTag", "name": "input", "data": data}


def _with_code(source: Iterator[Token], page: Page) -> Iterator[Token]:
    """Colour what stands in `pre`, when its first child says in which language."""
    for token in source:
        yield token
        if not (token["type"] == "StartTag" and token["name"] == "pre"):
            continue
        code = next(source, None)
        if code is None:
            return
        yield code
        if not (code["type"] == "StartTag" and code["name"] == "code"):
            continue
        inside, end = [], None
        for token in source:
            if token["type"] == "EndTag" and token["name"] in {"code", "pre"}:
                end = token
                break
            inside.append(token)
        text = "".join(map(text_of, inside))
        language = code["data"].get((None, "class"), "").removeprefix("language-")
        # Of this type the serializer writes the data as they are.
        yield {
            "type": "SpaceCharacters",
            "data": page.highlighter.markup(text, language),
        }
        if end is not None:
            yield end
