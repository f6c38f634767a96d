"""Headings get their ids, and the plain text of the page is noted, token by token."""

import html
import re
from collections.abc import Iterator
from typing import Any

from wiki.rendering.headings import Headings, heading_id_elsewhere

Token = dict[str, Any]
Attributes = dict[tuple[None, str], str]

_HEADING = re.compile(r"h[1-6]")
_LINES = """
    blockquote br dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td
    th tr ul
"""
_BREAKS = frozenset(_LINES.split())
"""Elements that begin a new line of the plain text."""


def text_of(token: Token) -> str:
    """Return the text that a token stands for."""
    if token["type"] in {"Characters", "SpaceCharacters"}:
        return str(token["data"])
    if token["type"] == "Entity":
        return html.unescape(f"&{token['name']};")
    return ""


def _anchor(made: str) -> list[Token]:
    """Return an empty element of that id; nothing without one."""
    if not made:
        return []
    data: Attributes = {(None, "id"): made}
    return [
        {"type": "StartTag", "name": "a", "data": data},
        {"type": "EndTag", "name": "a"},
    ]


def with_heading_ids(
    source: Iterator[Token], headings: Headings, text_so_far: list[str]
) -> Iterator[Token]:
    """Give headings their ids, and note the text of the page."""
    heading: list[Token] = []
    title: list[str] = []
    for token in source:
        text = text_of(token)
        name = token.get("name", "")
        text_so_far.append(text or ("\n" if name in _BREAKS else ""))
        if token["type"] == "StartTag" and _HEADING.fullmatch(name) and not heading:
            heading, title = [token], []
            continue
        if not heading:
            yield token
            continue
        heading.append(token)
        title.append(text)
        if token["type"] == "EndTag" and name == heading[0]["name"]:
            words = " ".join("".join(title).split())
            if words:
                made = headings.add(int(name[1]), words)
                heading[0]["data"] = {(None, "id"): made}
                elsewhere = heading_id_elsewhere(words)
                heading[1:1] = _anchor(headings.anchor(elsewhere))
            yield from heading
            heading = []
    yield from heading
