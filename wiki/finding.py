"""Find a page by its address, old or new. One answer for all that one may not read."""

from dataclasses import dataclass

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, NotFound
from wiki import slugs
from wiki.models import Page, Redirect
from wiki.models.pages import PageQuerySet


@dataclass(frozen=True, slots=True)
class Found:
    """A page, and whether its present address is another one than was asked for."""

    page: Page
    moved: bool


def find_page(actor: Actor, text: str) -> Found:
    """Return the live page at the address, or that which once was there.

    Raises NotFound, in the same words for a page that is missing, hidden, in the trash,
    or impossible.
    """
    try:
        slug = slugs.parse(text)
    except BadInput:
        raise no_such_page() from None
    readable = Page.objects.readable_by(actor).live()
    page = listed(readable.at(slug)).first()
    if page is None:
        redirect = Redirect.objects.filter(slug_key=slugs.key(slug))
        page = listed(readable.filter(redirects__in=redirect)).first()
    if page is None:
        raise no_such_page()
    return Found(page, moved=page.slug != text)


def page_at(slug: str, *, by_redirect: bool = False) -> Page | None:
    """Return the live page of a slug for whoever, or the one that moved away from it.

    Whether somebody may read or edit it is for the caller to judge.
    """
    live = Page.objects.live().select_related("space", "revision")
    page = live.at(slug).first()
    if page is None and by_redirect:
        redirect = Redirect.objects.filter(slug_key=slugs.key(slug))
        page = live.filter(redirects__in=redirect).first()
    return page


def listed(pages: PageQuerySet) -> PageQuerySet:
    """Return the pages with all that a row of a list shows."""
    return pages.select_related("updated_by", "space")


def no_such_page() -> NotFound:
    """Return the one refusal for pages that one cannot have."""
    return NotFound("There is no such page.", field="slug")
