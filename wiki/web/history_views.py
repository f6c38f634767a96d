"""What was: revisions of a page, what changed between two, and the way back."""

from datetime import datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_POST, require_safe

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.diffs import compare, unified
from goclaw.lib.errors import BadInput, Conflict, NotFound
from memory.web.paging import EPOCH, keyset_page
from wiki import history as revisions
from wiki.finding import find_page
from wiki.models import Page, Revision
from wiki.web.diffing import numbered
from wiki.web.http import member, reader
from wiki.web.presenting import article, place_of, to_page

WEEK = timedelta(days=7)
VIEWS = ("split", "unified")


def page_at(actor: Actor, slug: str) -> Page:
    """Return the readable page of an address, old or new."""
    return find_page(actor, slug).page


@require_safe
@reader
def history(request: BrowserRequest, slug: str) -> HttpResponse:
    """List the revisions of a page, newest first."""
    page = page_at(request.actor, slug)
    rows = revisions.revisions_of(page).select_related("author", "key")
    context = place_of(request.actor, page)
    context["rows"] = keyset_page(rows, request.GET, by="number")
    context["week_ago"] = (timezone.localdate() - WEEK).isoformat()
    return render(request, "wiki/history.html", context)


@require_safe
@reader
def revision(request: BrowserRequest, slug: str) -> HttpResponse:
    """Show a page as it was."""
    page = page_at(request.actor, slug)
    shown = revisions.revision_of(page, _number(request.GET, "n"))
    context = place_of(request.actor, page)
    context |= {"revision": shown, "article": article(request.actor, shown)}
    return render(request, "wiki/revision.html", context)


@require_safe
@reader
def diff(request: BrowserRequest, slug: str) -> HttpResponse:
    """Show what changed from one revision to another, side by side or in one column."""
    page = page_at(request.actor, slug)
    new = revisions.revision_of(page, _number(request.GET, "b", page.number))
    old = _older(page, new, request.GET)
    asked = request.GET.get("view")
    view = asked if asked in VIEWS else VIEWS[0]
    rows = compare(old.body, new.body)
    shown = numbered(unified(rows) if view == "unified" else rows)
    context = place_of(request.actor, page)
    context |= {
        "old": old,
        "new": new,
        "view": view,
        "rows": shown,
        "changes": sum(bool(row.change) for row in shown),
        "tags": _tags(old, new),
    }
    return render(request, "wiki/diff.html", context)


@require_POST
@member
def restore(request: BrowserRequest, slug: str) -> HttpResponse:
    """Save an old revision again, as the newest one."""
    page = page_at(request.actor, slug)
    number = _number(request.POST, "revision")
    base = _number(request.POST, "base_revision", page.number)
    try:
        saved = revisions.restore(
            actor=request.actor, page=page, number=number, base_revision=base
        )
    except Conflict:
        messages.warning(
            request,
            "Somebody changed the page meanwhile. Look at the newest revision, and"
            " restore then.",
        )
        return redirect("wiki:history", slug=page.slug)
    if saved.changed:
        messages.success(
            request,
            f"Revision {number} is back, as revision {saved.revision.number}. What was"
            " between them is in the history.",
        )
    else:
        messages.info(request, "The page says exactly that already.")
    return to_page(saved.page.slug)


def _older(page: Page, new: Revision, asked: QueryDict) -> Revision:
    """Return the revision to compare with: named, of a day, or the one before."""
    if since := asked.get("since"):
        return _of_day(page, since)
    before = max(1, new.number - 1)
    return revisions.revision_of(page, _number(asked, "a", before))


def _of_day(page: Page, text: str) -> Revision:
    """Return what the page was at the end of a day, the first revision if later."""
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise BadInput("That is no date.", remedy="Write it as 2025-12-31.")
    day = min(max(day, EPOCH.date()), timezone.localdate())
    end = timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
    found = Revision.objects.filter(page=page).select_related("author", "key")
    then = found.filter(created_at__lt=end).order_by("-number").first()
    first = then or found.order_by("number").first()
    if first is None:
        raise NotFound("The page has no revision.")
    return first


def _number(asked: QueryDict, name: str, default: int | None = None) -> int:
    text = asked.get(name, "")
    if not text and default is not None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotFound("There is no such revision.")
    return int(text)


def _tags(old: Revision, new: Revision) -> dict[str, Any]:
    before, after = set(old.tags), set(new.tags)
    return {"added": sorted(after - before), "removed": sorted(before - after)}
