"""What others saved meanwhile: merged into what is to be saved, or refused."""

from dataclasses import dataclass, replace

from goclaw.lib.errors import BadInput, Conflict
from memory.models import Space
from wiki.drafts import PageText
from wiki.merging import merge
from wiki.models import Page, Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be saved, and on top of which state of the page."""

    slug: str
    space: Space
    text: PageText
    page: Page | None = None
    base: Revision | None = None
    merged: bool = False


def on_top(plan: Plan, base_revision: int | None, *, exact: bool) -> Plan:
    """Return the plan on top of the page as it is now; merges or raises Conflict."""
    page = plan.page
    if page is None or page.revision is None:
        raise Conflict(
            "The page is no longer there: it was deleted meanwhile.",
            code="page_gone",
            field="slug",
            remedy="Restore it from the trash, or save it as a new page, without a"
            " base revision.",
        )
    current = page.revision
    if base_revision == current.number:
        return replace(plan, base=current)
    if current.text_hash == plan.text.digest:
        return plan
    if not base_revision:
        raise _conflict(
            current,
            "There is a page already.",
            remedy="Read it, and send the number of its revision as base_revision"
            " with your text.",
        )
    base = page.revisions.filter(number=base_revision).first()
    if base is None:
        raise BadInput(
            f"The page has no revision {base_revision}.", field="base_revision"
        )
    if exact:
        raise _conflict(
            current,
            "Somebody changed the page meanwhile.",
            remedy="Look at it as it is now.",
        )
    merged = _merged(base, plan.text, current)
    return replace(plan, base=base, text=merged, merged=True)


def _merged(base: Revision, ours: PageText, theirs: Revision) -> PageText:
    """Return both sides' changes in one text; raises Conflict where they touch."""
    body = merge(base.body, ours.body, theirs.body)
    clash = ours.title != base.title != theirs.title != ours.title
    if clash or not body.clean:
        raise _conflict(
            theirs,
            "Somebody changed the same lines meanwhile.",
            remedy="Put both texts together, and save with base_revision"
            f" {theirs.number}.",
            merged_body=body.text,
        )
    added, removed = set(ours.tags) - set(base.tags), set(base.tags) - set(ours.tags)
    return PageText(
        title=theirs.title if ours.title == base.title else ours.title,
        body=body.text,
        tags=tuple(sorted((set(theirs.tags) | added) - removed)),
    )


def _conflict(
    current: Revision, message: str, *, remedy: str, **extra: str
) -> Conflict:
    return Conflict(
        message,
        code="edit_conflict",
        field="base_revision",
        remedy=remedy,
        current_revision=current.number,
        current_title=current.title,
        current_body=current.body,
        **extra,
    )
