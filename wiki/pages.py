"""Save pages: judged, merged and rendered first, then all in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from accounts.kinds import RunKind
from goclaw.lib.errors import Conflict
from memory.access import can_set_tags
from memory.records import origin_of
from wiki import access, dependants, reading, slugs
from wiki.dependants import Prepared
from wiki.drafts import (
    PageText,
    check_nothing_deceives,
    check_page,
    title_for,
    with_lf,
)
from wiki.finding import page_at
from wiki.locking import hold_page, hold_structure
from wiki.models import Page, Revision
from wiki.rebasing import Plan, on_top

ATTEMPTS = 10
"""How often a save starts again because somebody else was quicker."""

_SEE_WHAT_THEY_SAVE = frozenset({RunKind.HUMAN, RunKind.SYSTEM})


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The page after a save.

    `changed` is False when it said exactly this already, and no revision was made.
    `merged` says that somebody else's changes, made meanwhile, are in it as well.
    `in_trash` says that a deleted page of that slug could still be restored elsewhere.
    """

    page: Page
    revision: Revision
    changed: bool
    created: bool = False
    merged: bool = False
    in_trash: bool = False


def save_page(
    *,
    actor: Actor,
    slug: str,
    body: str,
    title: str = "",
    tags: list[str] | None = None,
    summary: str = "",
    base_revision: int | None = None,
    origin: str = "",
    exact: bool = False,
    also: Callable[[Revision], None] | None = None,
) -> Saved:
    """Save a page, new or not; returns at once when it says exactly this already.

    `base_revision` is the number of the revision the author had before them, None for a
    new page. Changes made since are merged, or refused as `edit_conflict` with both
    texts. An empty title and tags of None stay as they are, or are made up. With
    `exact` nothing is merged: such changes are refused as well. `also` does more in the
    transaction that stores the revision; what it raises takes the save back.

    Raises BadInput, TooLarge, Forbidden or Conflict, and then changes nothing.
    """
    slug = slugs.parse(slug)
    for _ in range(ATTEMPTS):
        page = page_at(slug, by_redirect=base_revision is not None)
        space = page.space if page else access.space_of(slug)
        access.can_edit(actor, space).require()
        plan = Plan(
            slug=page.slug if page else slug,
            space=space,
            page=page,
            text=_completed(page, slug, title, with_lf(body), tags),
        )
        check_page(plan.text, summary)
        if actor.run not in _SEE_WHAT_THEY_SAVE:
            check_nothing_deceives(plan.text, summary)
        if page or base_revision:
            plan = on_top(plan, base_revision, exact=exact)
        _check_tags(actor, plan)
        if page and page.revision and page.revision.text_hash == plan.text.digest:
            return Saved(page=page, revision=page.revision, changed=False)
        prepared = dependants.prepare(
            slug=plan.slug, title=plan.text.title, body=plan.text.body
        )
        if saved := _commit(actor, plan, prepared, summary, origin, also):
            return saved
    raise Conflict(
        "Others keep changing the page.",
        code="edit_conflict",
        field="base_revision",
        remedy="Read the page again, and save on top of that.",
    )


def _completed(
    page: Page | None, slug: str, title: str, body: str, tags: list[str] | None
) -> PageText:
    """Return the text with what the author left out."""
    if not title:
        title = page.title if page else title_for(body, slug)
    if tags is None:
        tags = page.tags if page else []
    return PageText(title=title, body=body, tags=tuple(sorted(set(tags))))


def _check_tags(actor: Actor, plan: Plan) -> None:
    present = plan.page.tags if plan.page else []
    can_set_tags(actor, plan.space, set(plan.text.tags) ^ set(present)).require()


@transaction.atomic
def _commit(
    actor: Actor,
    plan: Plan,
    prepared: Prepared,
    summary: str,
    origin: str,
    also: Callable[[Revision], None] | None,
) -> Saved | None:
    """Store the revision and all that hangs on it; None when the plan is outdated."""
    page = _held(plan)
    if page is None:
        return None
    revision = _new_revision(actor, page, plan, summary, origin)
    reading.keep(revision, prepared.rendered)
    _bring_up_to_date(page, revision, prepared)
    if plan.page:
        dependants.refresh(page, revision, prepared)
    else:
        dependants.enter(page, revision, prepared)
    if also:
        also(revision)
    deleted = Page.objects.at(page.slug).filter(deleted_at__isnull=False)
    return Saved(
        page=page,
        revision=revision,
        changed=True,
        created=plan.page is None,
        merged=plan.merged,
        in_trash=plan.page is None and deleted.exists(),
    )


def _held(plan: Plan) -> Page | None:
    """Return the page, locked, if it is still as the plan found it."""
    if plan.page is None:
        hold_structure()
        free = not Page.objects.live().at(plan.slug).exists()
        if not free or access.space_of(plan.slug) != plan.space:
            return None
        return Page(slug=plan.slug, slug_key=slugs.key(plan.slug), space=plan.space)
    hold_page(plan.page.pk)
    return (
        Page.objects.live()
        .select_related("space", "memory")
        .filter(
            pk=plan.page.pk,
            slug=plan.slug,
            space=plan.space,
            number=plan.page.number,
        )
        .first()
    )


def _new_revision(
    actor: Actor, page: Page, plan: Plan, summary: str, origin: str
) -> Revision:
    if page.pk is None:
        page.title = plan.text.title
        page.save()
    return Revision.objects.create(
        page=page,
        number=page.number + 1,
        slug=page.slug,
        title=plan.text.title,
        body=plan.text.body,
        tags=list(plan.text.tags),
        text_hash=plan.text.digest,
        size=plan.text.size,
        summary=summary,
        base=plan.base,
        origin=origin or origin_of(actor),
        run_kind=actor.run,
        author_id=actor.user_id,
        key_id=actor.key_id,
        created_at=timezone.now(),
    )


def _bring_up_to_date(page: Page, revision: Revision, prepared: Prepared) -> None:
    page.revision = revision
    page.number = revision.number
    page.title = revision.title
    page.tags = revision.tags
    page.size = revision.size
    page.excerpt = prepared.excerpt
    page.updated_at = revision.created_at
    page.updated_by_id = revision.author_id
    page.save()
