"""What a browser has to fetch to show a page for the first time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from bench.visits import Visitor

_TAG = re.compile(r"<(?:link|script)\b[^>]*>")
_STYLE = re.compile(r'rel="stylesheet"')
_ADDRESS = re.compile(r'\b(?:href|src)="([^"]+)"')
_IN_STYLE = re.compile(r"""(?:url\(|@import\s+)["']?([^"')\s;]+)""")
_IN_SCRIPT = re.compile(r"""(?:\bfrom|\bimport)\s*["']([^"']+)["']""")


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes over the wire, compressed as the server does it."""

    html: int
    styles: int
    scripts: int

    @property
    def total(self) -> int:
        """Return all of it."""
        return self.html + self.styles + self.scripts


def first_view(visitor: Visitor, path: str) -> Size:
    """Fetch a page, its styles and its scripts, and what those name in turn."""
    page = visitor.get(path)
    styles, scripts = set(), set()
    for tag in _TAG.findall(page.text):
        address = _ADDRESS.search(tag)
        if address and tag.startswith("<script"):
            scripts.add(urljoin(path, address[1]))
        elif address and _STYLE.search(tag):
            styles.add(urljoin(path, address[1]))
    return Size(
        html=page.size,
        styles=sum(_sizes(visitor, styles, _IN_STYLE)),
        scripts=sum(_sizes(visitor, scripts, _IN_SCRIPT)),
    )


def _sizes(visitor: Visitor, paths: set[str], naming: re.Pattern[str]) -> Iterator[int]:
    """Yield the size of each file and of those that it names, each once."""
    waiting, seen = sorted(paths), set(paths)
    while waiting:
        path = waiting.pop()
        answer = visitor.get(path)
        yield answer.size
        named = (urljoin(path, name) for name in naming.findall(answer.text))
        new = {name for name in named if name.startswith("/")} - seen
        seen |= new
        waiting += sorted(new)
