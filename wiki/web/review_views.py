"""Pages of the review: the queue, one item, and a draft to be edited."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.config import model_config
from goclaw.lib.diffs import compare, unified
from memory.access import can_administrate
from memory.models import ReviewItem, ReviewKind, ReviewState, Revision
from memory.web.http import page
from memory.web.paging import keyset_page
from wiki.drafts import with_lf
from wiki.models import PageDraft
from wiki.review import deciding
from wiki.review import queue as waiting
from wiki.review.access import reviewable_space_ids
from wiki.review.claims import claims_of, left_out, text_before
from wiki.review.context import context_of
from wiki.review.records import decisions_of
from wiki.web.diffing import Shown, numbered
from wiki.web.presenting import preview
from wiki.web.review_forms import EditForm, QueueFilter
from wiki.web.review_presenting import KIND_LABELS, REASONS

PAGE_SIZE = 25
VIEWS = ("split", "unified", "rendered")


@require_safe
@page
def queue(request: BrowserRequest) -> HttpResponse:
    """List what waits, oldest first, or what was decided, newest first."""
    form = QueueFilter(request.GET)
    filters = form.filters()
    rows = waiting.listed(request.actor, filters)
    decided = filters.state == waiting.DECIDED
    counts = waiting.counts(request.actor)
    return render(
        request,
        "review/queue.html",
        {
            "form": form,
            "decided": decided,
            "page": keyset_page(
                rows,
                request.GET,
                by="decided_at" if decided else "queued_at",
                size=PAGE_SIZE,
                oldest_first=not decided,
            ),
            "counts": counts,
            "kinds": [
                (kind.value, KIND_LABELS[kind], counts.by_kind[kind])
                for kind in ReviewKind
                if counts.by_kind[kind]
            ],
            "may_review": bool(reviewable_space_ids(request.actor)),
            "may_distill": can_administrate(request.actor),
            "has_model": bool(model_config().name),
            "asked": form.address,
        },
    )


@require_safe
@page
def item(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Show an item: what it changes, where that comes from, what surrounds it."""
    shown = deciding.shown(actor=request.actor, uid=uid)
    form = QueueFilter(request.GET)
    filters = form.filters()
    before, after = waiting.neighbours(request.actor, filters, shown)
    context = {
        "item": shown,
        "previous": before,
        "next": after,
        "asked": form.address,
        "reasons": REASONS,
        "is_pending": shown.state == ReviewState.PENDING,
        "can_undo": shown.state in _UNDOABLE[shown.is_page],
    }
    if not shown.is_page:
        return render(request, "review/records.html", context | _records(shown))
    asked = request.GET.get("view")
    view = asked if asked in VIEWS else VIEWS[0]
    return render(
        request,
        "review/page.html",
        context | _draft(request.actor, shown, view),
    )


@require_safe
@page
def edit(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Let a reviewer change a draft before it is approved."""
    shown = deciding.shown(actor=request.actor, uid=uid)
    if not shown.is_page or shown.state != ReviewState.PENDING:
        return redirect("review:item", uid)
    form = EditForm(initial=EditForm.sent(shown, shown.draft.body))
    return edit_page(request, shown, form)


def edit_page(
    request: BrowserRequest, item: ReviewItem, form: EditForm, **reply: Any
) -> HttpResponse:
    """Return the page on which a draft is edited.

    A text that was sent already is shown with what it would change.
    """
    rows = []
    if form.is_bound:
        text = with_lf(str(form.data.get("body", "")))
        rows = numbered(compare(text_before(item.draft), text))
    asked = QueueFilter(request.GET).address
    context = {"item": item, "form": form, "rows": rows, "asked": asked}
    return render(request, "review/edit.html", context, **reply)


_UNDOABLE = {
    True: (ReviewState.APPROVED, ReviewState.REJECTED),
    False: (ReviewState.APPROVED,),
}
"""By whether it is a page: the settled states out of which one can take it back."""


def _draft(actor: Actor, item: ReviewItem, view: str) -> dict[str, Any]:
    draft: PageDraft = item.draft
    rows = compare(text_before(draft), draft.body)
    is_column = view == "unified" or item.kind == ReviewKind.NEW_PAGE
    shown = numbered(unified(rows) if is_column else rows)
    claims = claims_of(draft)
    return {
        "draft": draft,
        "view": view,
        "is_column": is_column,
        "flag_names": waiting.risk_names(item.risks),
        "rows": shown,
        "changes": sum(bool(row.change) for row in shown),
        "rendered": preview(actor, draft.body, draft.slug) if view == VIEWS[2] else "",
        "claims": [claim for claim in claims if claim.new],
        "kept": [claim for claim in claims if not claim.new],
        "left_out": left_out(draft),
        "around": context_of(actor, item),
    }


def _records(item: ReviewItem) -> dict[str, Any]:
    decisions = list(decisions_of(item))
    pairs: list[tuple[Revision, list[Shown]]] = []
    for decision in decisions:
        text = decision.replacement.content if decision.replacement else ""
        before = sum(bool(row.change) for _, rows in pairs for row in rows)
        rows = compare(decision.memory.content, text)
        pairs.append((decision, numbered(rows, start=before)))
    first = decisions[0] if decisions else None
    return {"pairs": pairs, "first": first, "new": first and first.replacement}
