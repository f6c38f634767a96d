"""What a reviewer does: decide, and go on to the next item of the queue."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, Conflict, GoClawError
from memory.models import ReviewItem
from memory.web.http import page, show_error
from wiki import distilling
from wiki.review import deciding
from wiki.review.access import item_for
from wiki.review.outcomes import Seen
from wiki.review.queue import neighbours
from wiki.web.review_forms import EditForm, QueueFilter, RejectForm, SeenForm
from wiki.web.review_presenting import badge_key, outcome_of
from wiki.web.review_views import edit_page


@require_POST
@page
def approve(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Publish what was shown, or what the reviewer has made of it; or confirm."""
    if "body" in request.POST:
        return _approve_edited(request, uid)
    form = SeenForm(request.POST)
    if not form.is_valid():
        raise BadInput("That form is incomplete.", remedy="Open the item again.")
    seen = form.seen()
    return _decide(
        request,
        uid,
        "approve",
        lambda: deciding.approve(actor=request.actor, uid=uid, seen=seen),
    )


@require_POST
@page
def reject(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Refuse a draft, or take a decision about records back."""
    form = RejectForm(request.POST)
    if not form.is_valid():
        raise BadInput("That reason is too long.", remedy="Say it in fewer words.")
    seen, reason = form.seen(), form.whole_reason()
    return _decide(
        request,
        uid,
        "reject",
        lambda: deciding.reject(actor=request.actor, uid=uid, seen=seen, reason=reason),
    )


@require_POST
@page
def skip(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Put an item off."""
    return _decide(
        request, uid, "skip", lambda: deciding.skip(actor=request.actor, uid=uid)
    )


@require_POST
@page
def unskip(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Give an item its place back."""
    return _take_back(request, uid, deciding.unskip)


@require_POST
@page
def undo(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Take back what was decided."""
    return _take_back(request, uid, deciding.undo)


@require_POST
@page
def approve_many(request: BrowserRequest) -> HttpResponse:
    """Approve the chosen items that carry no risk, and say what became of each."""
    choices = [_choice(text) for text in request.POST.getlist("item")]
    if not choices:
        messages.info(request, "Nothing was chosen.")
        return redirect(_queue(request))
    results = deciding.approve_many(actor=request.actor, choices=choices)
    cache.delete(badge_key(request.actor))
    return render(
        request,
        "review/approved.html",
        {
            "done": [result.item for result in results if not result.problem],
            "others": [result for result in results if result.problem],
            "back": _queue(request),
        },
    )


@require_POST
@page
def distill(request: BrowserRequest) -> HttpResponse:
    """Have pages distilled of all domains."""
    job = distilling.start(actor=request.actor)
    messages.success(request, "Distilling has begun. Drafts appear here one by one.")
    return redirect("memory:job", job.uid)


# --- how -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Place:
    """Where a reviewer is in the queue, found before an item leaves it."""

    item: ReviewItem
    following: ReviewItem | None


def _place(request: BrowserRequest, uid: UUID) -> _Place:
    item = item_for(request.actor, uid)
    filters = QueueFilter(request.GET).filters()
    before, after = neighbours(request.actor, filters, item)
    return _Place(item, after or before)


def _decide(
    request: BrowserRequest, uid: UUID, verb: str, decide: Callable[[], ReviewItem]
) -> HttpResponse:
    """Decide, tell what was done with a way back, and show what comes next."""
    place = _place(request, uid)
    try:
        item = decide()
    except Conflict as error:
        return _told(request, uid, error)
    return _done(request, item, verb, place)


def _approve_edited(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Publish an edited draft; one that cannot be is shown again, nothing is lost."""
    place = _place(request, uid)
    form = EditForm(request.POST)
    if not form.is_valid():
        return edit_page(request, place.item, form, status=400)
    try:
        item = deciding.approve(
            actor=request.actor,
            uid=uid,
            seen=form.seen(),
            body=form.cleaned_data["body"],
        )
    except GoClawError as error:
        item = deciding.shown(actor=request.actor, uid=uid)
        again = EditForm(EditForm.sent(item, form.cleaned_data["body"]))
        again.is_valid()
        show_error(again, error)
        return edit_page(request, item, again, status=error.status)
    return _done(request, item, "approve", place)


def _done(
    request: BrowserRequest, item: ReviewItem, verb: str, place: _Place
) -> HttpResponse:
    cache.delete(badge_key(request.actor))
    back = reverse(
        "review:unskip" if verb == "skip" else "review:undo", args=[item.uid]
    )
    can_undo = item.is_page or verb != "reject"
    messages.success(
        request,
        outcome_of(item, verb=verb),
        extra_tags=f"undo:{back}" if can_undo else "",
    )
    if place.following:
        return redirect(_address(request, place.following.uid))
    return redirect(_queue(request))


def _take_back(
    request: BrowserRequest, uid: UUID, act: Callable[..., ReviewItem]
) -> HttpResponse:
    try:
        item = act(actor=request.actor, uid=uid)
    except Conflict as error:
        return _told(request, uid, error)
    cache.delete(badge_key(request.actor))
    messages.success(request, outcome_of(item, verb="undo"))
    return redirect(_address(request, uid))


def _told(request: BrowserRequest, uid: UUID, error: GoClawError) -> HttpResponse:
    """Show the item once more, and why nothing was done."""
    text = " ".join(filter(None, (error.message, error.remedy)))
    messages.warning(request, text)
    return redirect(_address(request, uid))


def _choice(text: str) -> tuple[UUID, Seen]:
    """Read a chosen row: id, hash and base revision, as the page had them."""
    uid, _, rest = text.partition(":")
    content_hash, _, base = rest.partition(":")
    try:
        return UUID(uid), Seen(content_hash=content_hash, base_revision=int(base or 0))
    except ValueError:
        raise BadInput("That choice is malformed.", remedy="Choose again.") from None


def _address(request: BrowserRequest, uid: UUID) -> str:
    return _with_query(request, reverse("review:item", args=[uid]))


def _queue(request: BrowserRequest) -> str:
    return _with_query(request, reverse("review:queue"))


def _with_query(request: BrowserRequest, path: str) -> str:
    """Keep what the queue is narrowed to."""
    asked = QueueFilter(request.GET).address
    return f"{path}?{asked}" if asked else path
