"""Walks HTML as a browser would, and says what must not be there."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

_ELEMENTS = """
    a abbr b blockquote br code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i
    img input ins kbd li mark ol p pre q s samp small span strong sub summary sup table
    tbody td tfoot th thead tr u ul var
"""
ELEMENTS = frozenset(_ELEMENTS.split())
_ATTRIBUTES = """
    align alt aria-label checked class colspan data-slug disabled height href id loading
    open rel role rowspan src start title type width
"""
ATTRIBUTES = frozenset(_ATTRIBUTES.split())
PLAIN_CLASS = re.compile(r"[A-Za-z0-9_+#. -]*")
OUR_ID = re.compile(r"(h|fn)-[^\s<>\"'&]+")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]")


class _Walker(HTMLParser):
    def __init__(self, *, remote_images: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.remote_images = remote_images
        self.faults: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS:
            self.faults.append(f"element {tag}")
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.faults.append(f"attribute twice in {tag}")
        for name, value in attrs:
            self._check(tag, name, value or "")
        if tag == "input" and dict(attrs).get("type") != "checkbox":
            self.faults.append("input")

    def _check(self, tag: str, name: str, value: str) -> None:
        if name not in ATTRIBUTES:
            self.faults.append(f"attribute {name} of {tag}")
        if name == "href" and not self._may_link(value):
            self.faults.append(f"href {value!r}")
        if name == "src" and not self._may_show(value):
            self.faults.append(f"src {value!r}")
        if name == "class" and not PLAIN_CLASS.fullmatch(value):
            self.faults.append(f"class {value!r}")
        if name == "id":
            self.ids.append(value)
            if not OUR_ID.fullmatch(value):
                self.faults.append(f"id {value!r}")

    def _may_link(self, value: str) -> bool:
        bare = _UNSEEN.sub("", value)
        if bare.startswith(("/", "#")):
            return not bare.startswith(("/\\", "///"))
        return urlsplit(bare).scheme in {"http", "https", "mailto"}

    def _may_show(self, value: str) -> bool:
        own = re.fullmatch(r"/media/[0-9a-f-]{36}", value)
        return bool(own) or (
            self.remote_images and urlsplit(value).scheme in {"http", "https"}
        )

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        self.faults.append(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        self.faults.append(f"instruction {data!r}")

    def unknown_decl(self, data: str) -> None:
        self.faults.append(f"section {data!r}")


def faults(html: str, *, remote_images: bool = False) -> list[str]:
    """Return everything in the HTML that a page may not hold."""
    walker = _Walker(remote_images=remote_images)
    walker.feed(html)
    walker.close()
    if len(walker.ids) != len(set(walker.ids)):
        walker.faults.append("an id twice")
    return walker.faults
