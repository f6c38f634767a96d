"""Delete pages and bring them back. What lies in the trash keeps all its revisions."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.actors import Actor
from goclaw.lib.errors import Conflict, NotFound
from memory.access import readable_space_ids
from wiki import access, dependants, slugs
from wiki.finding import find_page, no_such_page
from wiki.locking import hold_structure
from wiki.models import Page
from wiki.models.pages import PageQuerySet


def deleted_pages(actor: Actor) -> PageQuerySet:
    """Return what lies in the trash of the parts of the wiki that the actor edits."""
    deleted = Page.objects.readable_by(actor).filter(deleted_at__isnull=False)
    hidden = readable_space_ids(actor) - access.editable_space_ids(actor)
    return deleted.exclude(space_id__in=hidden)


@transaction.atomic
def delete_page(*, actor: Actor, slug: str, base_revision: int | None = None) -> Page:
    """Put a page into the trash; the pages below it stay where they are.

    `base_revision` is the number of the revision that was looked at. Raises NotFound,
    Forbidden, or Conflict when the page moved on since.
    """
    hold_structure()
    page = find_page(actor, slug).page
    access.can_edit(actor, page.space).require()
    if base_revision not in {None, page.number}:
        raise Conflict(
            "The page was changed in between.",
            code="edit_conflict",
            field="base_revision",
            remedy="Look at it again, and delete it then.",
            current_revision=page.number,
        )
    page.deleted_at = timezone.now()
    page.deleted_by_id = actor.user_id
    page.save(update_fields=["deleted_at", "deleted_by"])
    dependants.leave(page)
    audit.record("wiki.delete", actor=actor, target=page.slug, details=_id_of(page))
    return page


def undelete_page(*, actor: Actor, uid: Any, to: str = "") -> Page:
    """Bring a page back from the trash, to another slug if `to` says so.

    Raises NotFound, Forbidden, or Conflict (`slug_taken`, with a free `suggestion`)
    when another page has its slug by now.
    """
    page = _in_trash(actor, uid)
    prepared = dependants.prepare(
        slug=page.slug, title=page.title, body=_revision_of(page).body
    )
    with transaction.atomic():
        hold_structure()
        page = _in_trash(actor, uid)
        slug = slugs.parse(to) if to else page.slug
        space = access.space_of(slug)
        access.can_edit(actor, page.space).require()
        access.can_edit(actor, space).require()
        if Page.objects.live().at(slug).exists():
            raise slug_taken(slug)
        page.slug, page.slug_key, page.space = slug, slugs.key(slug), space
        page.deleted_at = page.deleted_by = None
        page.save()
        dependants.enter(page, _revision_of(page), prepared)
        audit.record(
            "wiki.undelete", actor=actor, target=page.slug, details=_id_of(page)
        )
    return page


def slug_taken(slug: str) -> Conflict:
    """Return the refusal for a slug at which there is a live page already."""
    suggestion = _free(slug)
    return Conflict(
        f"There is a page at {slug} already.",
        code="slug_taken",
        field="to",
        remedy=f"Use another slug, such as {suggestion}.",
        suggestion=suggestion,
    )


def _free(slug: str) -> str:
    stem = slug[: slugs.MAX_SLUG - 8]
    taken = set(
        Page.objects.live()
        .filter(slug_key__startswith=slugs.key(stem))
        .values_list("slug_key", flat=True)[:1000]
    )
    numbered = (f"{stem}-{number}" for number in range(2, 1003))
    return next(name for name in numbered if slugs.key(name) not in taken)


def _in_trash(actor: Actor, uid: Any) -> Page:
    found = Page.objects.readable_by(actor).filter(uid=uid, deleted_at__isnull=False)
    page = found.select_related("space", "revision").first()
    if page is None:
        raise no_such_page()
    return page


def _revision_of(page: Page) -> Any:
    if page.revision is None:
        raise NotFound("The page has no text.")
    return page.revision


def _id_of(page: Page) -> dict[str, str]:
    return {"id": str(page.uid)}
