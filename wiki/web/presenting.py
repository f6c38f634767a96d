"""Pages as they are put to people."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from accounts.actors import Actor
from wiki import access, links, reading, slugs
from wiki.models import Attachment, Page, Revision
from wiki.rendering import linked_slugs, present, render
from wiki.review.standing import approval_of
from wiki.web.navigation import crumbs

SHOWN_LINKS = 50
"""Pages that link to a page, and files of it, that its own page names."""


@dataclass(frozen=True, slots=True)
class Article:
    """The text of a page, clean and finished for one reader, and its contents.

    `heading_id` is the id of a first heading that only repeats the title of the page:
    it is left out, and the title takes its id.
    """

    html: SafeString
    toc: list[dict[str, Any]]
    heading_id: str = ""


def article(actor: Actor, revision: Revision) -> Article:
    """Return a revision's text for a reader."""
    rendering = reading.rendering_of(revision)
    html, toc = reading.html_for(actor, rendering), rendering.toc
    first: dict[str, Any] = toc[0] if toc else {}
    if first.get("level") == 1 and first["title"] == revision.title:
        opening, _, rest = html.partition("</h1>")
        if opening.startswith(f'<h1 id="{first["id"]}">'):
            return Article(_clean(rest), toc[1:], first["id"])
    return Article(_clean(html), toc)


def preview(actor: Actor, text: str, slug: str) -> SafeString:
    """Return unsaved text as the page would show it, with ids of its own."""
    rendered = render(text, slug=slug)
    there = links.existing(actor, linked_slugs(rendered.html))
    return _clean(present(rendered.html, existing=there, fragment="preview-"))


def _clean(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308 - what the renderer gives has been cleaned


@lru_cache(maxsize=10_000)
def page_url(slug: str, view: str = "page") -> str:
    """Return the address of a page, or of a view of it; a list has hundreds."""
    return reverse(f"wiki:{view}", kwargs={"slug": slug})


def to_page(slug: str, *, moved_from: str = "") -> HttpResponse:
    """Send the browser to a page, which says from where it was moved."""
    note = f"?from={quote(moved_from)}" if moved_from else ""
    return HttpResponseRedirect(page_url(slug) + note)


def around(actor: Actor, slug: str) -> dict[str, Any]:
    """Return what the frame of every page at a slug shows."""
    return {"slug": slug, "crumbs": list(crumbs(actor, slug))}


def place_of(actor: Actor, page: Page) -> dict[str, Any]:
    """Return the frame of a page, with what may be done to it."""
    return {
        "page": page,
        "may_edit": access.can_edit(actor, page.space),
        "may_restrict": access.can_restrict(actor),
        "is_restricted": bool(page.space.path),
        **around(actor, page.slug),
    }


def about(actor: Actor, page: Page) -> dict[str, Any]:
    """Return what else a page shows: links to it, files, who wrote and approved it."""
    files = Attachment.objects.filter(page=page).defer("text")
    linking = links.backlinks(actor, page).order_by("title", "slug_key")
    revision = Revision.objects.filter(page=page, number=page.number).listed()
    return {
        "files": list(files[: SHOWN_LINKS + 1]),
        "backlinks": list(linking.only("slug", "title")[: SHOWN_LINKS + 1]),
        "revision": revision.select_related("author", "key").first(),
        "parent": slugs.parent(page.slug),
        "approval": approval_of(page),
    }
