"""Drafts whose page has moved on since: put on top of it as it is now."""

from dataclasses import dataclass

from django.db import transaction

from memory.models import ReviewItem, ReviewKind, ReviewState, Risk
from wiki import access
from wiki.drafts import PageText
from wiki.finding import page_at
from wiki.merging import merge
from wiki.models import Page, PageDraft, Revision
from wiki.review.flags import lines_of
from wiki.review.proposing import Proposal, hold_proposals, measure
from wiki.review.sources import texts_of
from wiki.review.structure import (
    BULLET,
    Section,
    Sentence,
    Structure,
    applied,
    from_json,
)


@dataclass(frozen=True, slots=True)
class _Base:
    """What a page said when the draft was made."""

    title: str = ""
    body: str = ""
    tags: tuple[str, ...] = ()


def is_stale(draft: PageDraft) -> bool:
    """Say whether the page was saved, moved, made or deleted since."""
    page = _page_now(draft)
    if page is None:
        return draft.base_number > 0
    place = (page.number, page.slug, page.pk)
    return place != (draft.base_number, draft.slug, draft.page_id)


def brought_up_to_date(item: ReviewItem) -> ReviewItem:
    """Return the item on top of the page as it is now.

    Changes made since stay, where they do not touch those of the draft; what is left to
    decide is shown against the new text. A draft that the page says already is
    outdated.
    """
    if item.state != ReviewState.PENDING or not is_stale(item.draft):
        return item
    with transaction.atomic():
        hold_proposals(item.draft.slug)
        found = ReviewItem.objects.select_for_update(of=("self",))
        item = found.select_related("draft__page", "space").get(pk=item.pk)
        if item.state == ReviewState.PENDING and is_stale(item.draft):
            _rebase(item, item.draft)
    return item


def _page_now(draft: PageDraft) -> Page | None:
    """Return the page itself, wherever it is now, or another one at its address."""
    live = Page.objects.live().select_related("revision", "space")
    page = live.filter(pk=draft.page_id).first() if draft.page_id else None
    return page or page_at(draft.slug, by_redirect=draft.base_number > 0)


def _rebase(item: ReviewItem, draft: PageDraft) -> None:
    page, base = _page_now(draft), _base_of(draft)
    text = _on_top(draft, base, page.revision) if page and page.revision else None
    text = text or PageText(title=draft.title, body=draft.body, tags=tuple(draft.tags))
    structure = from_json(draft.structure)
    proposal = Proposal(
        slug=page.slug if page else draft.slug,
        text=text,
        via=item.via,
        page=page,
        structure=structure,
        sources=texts_of({*structure.considered, *structure.cited}),
    )
    for name, value in measure(proposal).items():
        setattr(item, name, value)
    item.risks = int(item.risk | Risk.STALE_BASE)
    item.kind = ReviewKind.EDIT_PAGE if page else ReviewKind.NEW_PAGE
    item.space = page.space if page else access.space_of(draft.slug)
    item.title = text.title
    if page and page.revision and page.revision.text_hash == text.digest:
        item.state = ReviewState.OUTDATED
    item.save()
    draft.slug, draft.page = proposal.slug, page
    draft.base_number = page.number if page else 0
    draft.title, draft.body, draft.tags = text.title, text.body, list(text.tags)
    draft.save()


def _base_of(draft: PageDraft) -> _Base:
    found = Revision.objects.filter(page=draft.page_id, number=draft.base_number)
    revision = found.first()
    if revision is None:
        return _Base()
    return _Base(revision.title, revision.body, tuple(revision.tags))


def _on_top(draft: PageDraft, base: _Base, now: Revision) -> PageText:
    """Return what the draft changes, made to the page as it is now."""
    together = merge(base.body, draft.body, now.body)
    structure = from_json(draft.structure)
    if together.clean:
        body = together.text
    elif structure:
        body = _line_by_line(structure, base.body, draft.body, now.body)
    else:
        body = draft.body
    added, removed = set(draft.tags) - set(base.tags), set(base.tags) - set(draft.tags)
    return PageText(
        title=now.title if draft.title == base.title or not base.title else draft.title,
        body=body,
        tags=tuple(sorted((set(now.tags) | added) - removed)),
    )


def _line_by_line(structure: Structure, base: str, ours: str, now: str) -> str:
    """Return the page with the sentences that a draft adds, less those it drops."""
    before, wanted = set(lines_of(base)), set(lines_of(ours))
    gone = [
        Sentence(line.removeprefix(BULLET).rstrip("\n"))
        for line in before - wanted
        if line.startswith(BULLET)
    ]
    there = before | set(lines_of(now))
    sections = (
        Section(
            section.heading,
            tuple(s for s in section.sentences if s.line not in there),
        )
        for section in structure.sections
    )
    new = [section for section in sections if section.sentences]
    return applied(now, gone=gone, new=new)
