"""Put a page that a machine has written before people, instead of into the wiki."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction

from accounts.actors import Actor
from goclaw.lib.config import wiki_config
from goclaw.lib.errors import Conflict
from memory.access import can_set_tags
from memory.drafts import canonical
from memory.locks import lock
from memory.models import ReviewItem, ReviewKind, ReviewState, Space
from wiki import access, slugs
from wiki.drafts import (
    PageText,
    check_nothing_deceives,
    check_page,
    title_for,
    with_lf,
)
from wiki.finding import page_at
from wiki.locking import share_structure
from wiki.models import Page, PageDraft
from wiki.review.flags import lines_of, new_claims, risks_of, size_of_change
from wiki.review.structure import Structure, to_json

TOOL = "wiki_write"
"""How a page came that an agent has written as it would have saved it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A page as it should become.

    `page` is the one it was made against, with the revision that was looked at; None
    for a new one. `sources` has the text of each record that the structure cites.
    """

    slug: str
    text: PageText
    via: str
    page: Page | None = None
    structure: Structure = field(default_factory=Structure)
    sources: Mapping[str, str] = field(default_factory=dict)
    facts_hash: str = ""
    domain: str = ""
    agent: str = ""
    run: str = ""

    @property
    def before(self) -> str:
        """Return what the page says now, as far as was looked at."""
        return self.page.revision.body if self.page and self.page.revision else ""


def propose(proposal: Proposal) -> ReviewItem:
    """Return the item that waits for a person.

    What the same one has proposed for the page before, and waits still, is outdated.
    """
    measured = measure(proposal)
    with transaction.atomic():
        hold_proposals(proposal.slug)
        ReviewItem.objects.pending().filter(
            draft__slug=proposal.slug, via=proposal.via, agent=proposal.agent
        ).update(state=ReviewState.OUTDATED)
        page = proposal.page
        item = ReviewItem.objects.create(
            kind=ReviewKind.EDIT_PAGE if page else ReviewKind.NEW_PAGE,
            space=_space_now(proposal),
            title=proposal.text.title,
            domain=proposal.domain,
            via=proposal.via,
            agent=proposal.agent,
            run=proposal.run,
            **measured,
        )
        PageDraft.objects.create(
            item=item,
            slug=proposal.slug,
            title=proposal.text.title,
            body=proposal.text.body,
            tags=list(proposal.text.tags),
            structure=to_json(proposal.structure),
            facts_hash=proposal.facts_hash,
            page=page,
            base_number=page.number if page else 0,
        )
    return item


def _space_now(proposal: Proposal) -> Space:
    if proposal.page:
        return Space.objects.get(pages=proposal.page)
    return access.space_of(proposal.slug)


def measure(proposal: Proposal) -> dict[str, int | str]:
    """Return the columns of an item that follow from what it would change."""
    before, after = proposal.before, proposal.text.body
    came, went = size_of_change(before, after)
    claims = list(new_claims(before, proposal.structure))
    risks = risks_of(
        before=before,
        after=after,
        structure=proposal.structure,
        sources=proposal.sources,
    )
    return {
        "risks": int(risks),
        "added": len(lines_of(came)),
        "removed": len(lines_of(went)),
        "facts": len(proposal.structure.cited),
        "unsourced": sum(claim.is_unsourced for claim in claims),
        "content_hash": content_hash(proposal.slug, proposal.text),
    }


def content_hash(slug: str, text: PageText) -> str:
    """Return what two drafts share that would publish the very same."""
    parts = canonical([slug, text.title, list(text.tags), text.body])
    return hashlib.sha256(parts.encode()).hexdigest()


def hold_proposals(slug: str) -> None:
    """Let proposals for one page take turns until the transaction ends.

    Meanwhile nobody gives the page another address, or other readers.
    """
    share_structure()
    lock(("review", "page", slugs.key(slug)))


def goes_to_review(actor: Actor) -> bool:
    """Say whether what the actor would save as a page is proposed instead."""
    return wiki_config().review_autonomous and actor.is_autonomous


def propose_page(
    *,
    actor: Actor,
    slug: str,
    title: str,
    body: str,
    tags: list[str] | None = None,
) -> ReviewItem:
    """Return the item for a page that an agent would have saved.

    The same proposal twice is one item. Raises BadInput, TooLarge, Forbidden, or
    Conflict (`nothing_new`) where the page says that already or somebody has rejected
    this very text.
    """
    slug = slugs.parse(slug)
    page = page_at(slug, by_redirect=True)
    slug = page.slug if page else slug
    space = page.space if page else access.space_of(slug)
    access.can_edit(actor, space).require()
    text = _checked(actor, slug, page, title, body, tags)
    present = page.tags if page else []
    can_set_tags(actor, space, set(text.tags) ^ set(present)).require()
    if page and page.revision and page.revision.text_hash == text.digest:
        raise _nothing_new("The page says exactly this already.")
    same = ReviewItem.objects.filter(
        content_hash=content_hash(slug, text), draft__isnull=False
    ).exclude(state=ReviewState.OUTDATED)
    if waiting := same.filter(state=ReviewState.PENDING).first():
        return waiting
    if no := same.filter(state=ReviewState.REJECTED).first():
        why = f": {no.reason}" if no.reason else "."
        raise _nothing_new(f"Somebody has rejected this text{why}")
    return propose(
        Proposal(slug=slug, text=text, via=TOOL, page=page, agent=actor.username)
    )


def _checked(
    actor: Actor,
    slug: str,
    page: Page | None,
    title: str,
    body: str,
    tags: list[str] | None,
) -> PageText:
    body = with_lf(body)
    title = title or (page.title if page else title_for(body, slug))
    tags = (page.tags if page else []) if tags is None else tags
    text = PageText(title=title, body=body, tags=tuple(sorted(set(tags))))
    check_page(text, "")
    check_nothing_deceives(text, "")
    return text


def _nothing_new(message: str) -> Conflict:
    return Conflict(
        message, code="nothing_new", remedy="Propose something that differs."
    )
