"""Markdown to HTML that is safe to show: the one way, for pages, previews, feeds.

`render` hands the text to a worker process and always has an answer; `present` marks
what only the reader decides, each time a page is shown.
"""

import html
from dataclasses import dataclass

from wiki.rendering.headings import TocEntry
from wiki.rendering.links import extract_links
from wiki.rendering.presenting import linked_slugs, present

__all__ = [
    "RENDERER_VERSION",
    "Rendered",
    "TocEntry",
    "extract_links",
    "linked_slugs",
    "present",
    "render",
]

RENDERER_VERSION = 3
"""Counts the changes after which stored HTML is made anew."""

MAX_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as HTML, and what was found on the way.

    `links` are the slugs that it links to, `text` is what a reader sees, without any
    markup. `failed` says why the HTML is the plain source instead: `too_large`,
    `too_slow`, `too_deep`, `error` or `unavailable`; "" when all went well.
    """

    html: str
    toc: tuple[TocEntry, ...]
    links: tuple[str, ...]
    text: str
    failed: str = ""


_REASONS = {
    "too_large": f"it is longer than {MAX_BYTES // 1024} KB",
    "too_slow": "formatting it took too long",
    "too_deep": "it is nested too deeply",
    "error": "formatting it failed",
    "unavailable": "the formatter could not be reached",
}


def render(text: str, *, slug: str) -> Rendered:
    """Return a page's Markdown as HTML; relative links start from its slug.

    Never raises: what cannot be formatted is shown as it was written, with a notice.
    Takes up to some seconds, so it does not belong into a transaction.
    """
    # Only here: the worker process imports this package, and does without Django.
    from goclaw.lib.config import wiki_config
    from wiki.rendering import pool

    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        return _source(text, "too_large")
    answer = pool.ask(
        {
            "text": text,
            "slug": slug,
            "remote_images": wiki_config().remote_images,
        }
    )
    if failed := answer.get("failed"):
        return _source(text, failed)
    return Rendered(
        html=answer["html"],
        toc=tuple(TocEntry(*entry) for entry in answer["toc"]),
        links=tuple(answer["links"]),
        text=answer["text"],
    )


def _source(text: str, failed: str) -> Rendered:
    notice = f"This page is shown as it was written: {_REASONS[failed]}."
    return Rendered(
        html=f'<p class="render-notice" role="note">{notice}</p>\n'
        f'<pre class="render-source">{html.escape(text)}</pre>',
        toc=(),
        links=tuple(extract_links(text)),
        text=text,
        failed=failed,
    )
