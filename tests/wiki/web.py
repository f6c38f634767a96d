"""The wiki's pages in few words, for tests."""

import re
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.urls import reverse


def text_of(response: Any) -> str:
    """Return a page as it was sent."""
    return str(response.content.decode())


def write(client: Client, slug: str, body: str = "Text.\n", **fields: Any) -> None:
    """Save a page in the browser, new or not. Fails unless it was accepted."""
    form = {"title": fields.pop("title", slug), "body": body, "tags": "", **fields}
    if "base_revision" in form:
        answer = client.post(reverse("wiki:edit", kwargs={"slug": slug}), form)
    else:
        answer = client.post(reverse("wiki:new"), {"slug": slug, **form})
    assert answer.status_code == 302, text_of(answer)


class _Seen(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def seen(response: Any) -> _Seen:
    """Return tags and words of a page."""
    parser = _Seen()
    parser.feed(text_of(response))
    return parser


def words_of(response: Any) -> str:
    """Return what a page says, blanks as one."""
    return re.sub(r"\s+", " ", "".join(seen(response).words))


def links_of(response: Any) -> list[str]:
    """Return where a page leads."""
    found = seen(response).tags
    return [attrs.get("href") or "" for tag, attrs in found if tag == "a"]


def fields_of(response: Any) -> dict[str, str]:
    """Return the inputs of a page by name, without the text areas."""
    found = seen(response).tags
    return {
        attrs.get("name") or "": attrs.get("value") or ""
        for tag, attrs in found
        if tag == "input"
    }
