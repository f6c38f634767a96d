"""The revisions of a page: listed without their texts, read, and brought back."""

from accounts.actors import Actor
from goclaw.lib.errors import NotFound
from wiki.models import Page, Revision
from wiki.models.revisions import RevisionQuerySet
from wiki.pages import Saved, save_page


def revisions_of(page: Page) -> RevisionQuerySet:
    """Return a readable page's revisions for a list, in no order yet."""
    return Revision.objects.filter(page=page).listed()


def recent_changes(actor: Actor) -> RevisionQuerySet:
    """Return the revisions of all readable pages for a list."""
    return Revision.objects.recent_for(actor).listed().select_related("author", "page")


def newest(page: Page) -> Revision:
    """Return the newest revision of a page, with its text."""
    return revision_of(page, page.number)


def revision_of(page: Page, number: int) -> Revision:
    """Return one revision of a readable page; raises NotFound."""
    found = Revision.objects.filter(page=page, number=number)
    revision = found.select_related("author", "key").first()
    if revision is None:
        raise NotFound(f"The page has no revision {number}.", field="revision")
    return revision


def restore(
    *, actor: Actor, page: Page, number: int, base_revision: int | None = None
) -> Saved:
    """Save an old revision again, as the newest one.

    `base_revision` is the newest that was seen; when there is a newer one, what it
    changed is merged or refused as in any save. Raises NotFound, Forbidden, Conflict.
    """
    old = revision_of(page, number)
    return save_page(
        actor=actor,
        slug=page.slug,
        title=old.title,
        body=old.body,
        tags=old.tags,
        summary=f"Restored revision {number}.",
        base_revision=base_revision or page.number,
    )
