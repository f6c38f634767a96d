"""Decide about drafts of pages: publish them, refuse them, take that back."""

from functools import partial

from django.db import transaction

from accounts.actors import Actor
from goclaw.lib.errors import Conflict
from memory.models import ReviewItem, ReviewState
from memory.scopes import Origin
from wiki.drafts import PageText, with_lf
from wiki.models import Page, PageDraft, Revision
from wiki.pages import save_page
from wiki.review.outcomes import Seen, held, moved, reopen, require_pending, settle
from wiki.review.proposing import TOOL, content_hash, hold_proposals
from wiki.review.rebasing import brought_up_to_date, is_stale
from wiki.review.structure import from_json, restated, to_json
from wiki.trash import delete_page

_STALE = frozenset({"edit_conflict", "page_gone"})


def approve(
    *,
    actor: Actor,
    item: ReviewItem,
    seen: Seen,
    body: str | None = None,
    reason: str = "",
) -> ReviewItem:
    """Publish a draft, or what the reviewer has made of it; returns the item.

    Raises Conflict (`review_moved`) when the page or the draft is not what was shown:
    the item is then on top of the page as it is now, and nothing is published.
    """
    require_pending(item)
    draft = item.draft
    if is_stale(draft):
        raise moved(brought_up_to_date(item))
    if (item.content_hash, draft.base_number) != (
        seen.content_hash,
        seen.base_revision,
    ):
        raise moved(item)
    body = draft.body if body is None else with_lf(body)
    publish = partial(_publish, actor, item, body, reason)
    try:
        saved = save_page(
            actor=actor,
            slug=draft.slug,
            body=body,
            title=draft.title,
            tags=draft.tags,
            summary=_summary(item, edited=body != draft.body),
            base_revision=draft.base_number or None,
            origin=Origin.AGENT if item.via == TOOL else Origin.DISTILL,
            exact=True,
            also=publish,
        )
    except Conflict as error:
        if error.code not in _STALE:
            raise
        raise moved(brought_up_to_date(item)) from error
    if not saved.changed:  # the page says so already
        with transaction.atomic():
            publish(None)
    item.refresh_from_db()
    return item


def reject(
    *, actor: Actor, item: ReviewItem, seen: Seen | None, reason: str
) -> ReviewItem:
    """Refuse a draft; the same text from the same facts does not come back."""
    with transaction.atomic():
        item = held(item)
        require_pending(item)
        if seen and seen.content_hash != item.content_hash:
            raise moved(item)
        settle(item, ReviewState.REJECTED, actor=actor, reason=reason)
    return item


def undo(*, actor: Actor, item: ReviewItem) -> ReviewItem:
    """Take back an approval, by a new revision, or a rejection.

    What others have changed since an approval stays, or makes it a Conflict.
    """
    if item.state == ReviewState.REJECTED:
        return _wait_again(item)
    if item.state != ReviewState.APPROVED:
        raise Conflict(
            f"It is {item.state}: there is nothing to undo.", code="review_not_undoable"
        )
    published = item.draft.published
    undone = partial(_undone, actor, item)
    if published is None:
        with transaction.atomic():
            undone(None)
    elif published.base is None:
        _delete(actor, published, undone)
    else:
        _restore(actor, published, published.base, undone)
    item.refresh_from_db()
    return item


def _publish(
    actor: Actor, item: ReviewItem, body: str, reason: str, revision: Revision | None
) -> None:
    """Note the approval, in the transaction that saves the page."""
    locked = held(item)
    if locked.state != ReviewState.PENDING or locked.content_hash != item.content_hash:
        raise moved(locked)
    draft = PageDraft.objects.get(item=locked)
    structure = from_json(draft.structure)
    if body != draft.body:
        structure = restated(structure, body)
        draft.body, draft.structure = body, to_json(structure)
        text = PageText(title=draft.title, body=body, tags=tuple(draft.tags))
        locked.content_hash = content_hash(draft.slug, text)
        locked.facts = len(structure.cited)
        locked.save(update_fields=["content_hash", "facts"])
    if revision is not None:
        draft.published, draft.page = revision, revision.page
    draft.save()
    settle(locked, ReviewState.APPROVED, actor=actor, reason=reason)


def _summary(item: ReviewItem, *, edited: bool) -> str:
    if item.via == TOOL:
        text = f"Proposed by {item.agent or 'an agent'}"
    else:
        text = f"Distilled from {item.facts} fact{'' if item.facts == 1 else 's'}"
    return f"{text}, edited and approved" if edited else f"{text}, approved"


def _wait_again(item: ReviewItem) -> ReviewItem:
    with transaction.atomic():
        slug = item.draft.slug
        hold_proposals(slug)
        same = ReviewItem.objects.pending().filter(
            draft__slug=slug, via=item.via, agent=item.agent
        )
        if same.exists():
            raise Conflict(
                "A newer draft of the page waits already.",
                code="review_not_undoable",
                remedy="Decide about that one.",
            )
        item = held(item)
        if item.state == ReviewState.REJECTED:
            reopen(item)
    return brought_up_to_date(item)


def _undone(actor: Actor, item: ReviewItem, revision: Revision | None) -> None:
    locked = held(item)
    if locked.state != ReviewState.APPROVED:
        raise Conflict("Somebody has undone it already.", code="review_not_undoable")
    settle(locked, ReviewState.UNDONE, actor=actor)


def _delete(actor: Actor, published: Revision, undone: partial[None]) -> None:
    """Put a page into the trash that an approval has made, if nobody changed it."""
    with transaction.atomic():
        if Page.objects.live().filter(pk=published.page_id).exists():
            slug = published.page.slug
            delete_page(actor=actor, slug=slug, base_revision=published.number)
        undone(None)


def _restore(
    actor: Actor, published: Revision, before: Revision, undone: partial[None]
) -> None:
    """Save what the page said before an approval, with what was changed since."""
    saved = save_page(
        actor=actor,
        slug=published.page.slug,
        title=before.title,
        body=before.body,
        tags=before.tags,
        summary=f"Undid the approval of revision {published.number}",
        base_revision=published.number,
        also=undone,
    )
    if not saved.changed:
        with transaction.atomic():
            undone(None)
