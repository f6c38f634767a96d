"""Where pages are: move, delete, bring back, and who may be there."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, Conflict, GoClawError
from memory.web.http import show_error
from memory.web.paging import keyset_page
from wiki import access, links, moving, restricting, slugs, trash
from wiki.finding import find_page, listed, no_such_page
from wiki.models import Page
from wiki.web.forms import MoveForm, RestrictForm, UndeleteForm
from wiki.web.http import member
from wiki.web.presenting import SHOWN_LINKS, around, place_of, to_page

SHOWN_MOVES = 100
"""Pages that a dialog names; all are counted."""


@require_http_methods(["GET", "HEAD", "POST"])
@member
def move(request: BrowserRequest, slug: str) -> HttpResponse:
    """Move a page or section, after showing all that moves along."""
    place, pages = _moving(request, slug)
    form = MoveForm(request.POST or None, initial={"to": place})
    status = 200
    if form.is_valid():
        try:
            moved = moving.move_page(
                actor=request.actor, slug=place, to=form.cleaned_data["to"].strip("/ ")
            )
        except GoClawError as error:
            show_error(form, error)
            status = error.status
        else:
            count = f"{moved.pages} page{'s' if moved.pages != 1 else ''}"
            messages.success(
                request,
                f"Moved {count} to {moved.slug}. The old addresses lead there."
                if moved.pages
                else "It is there already.",
            )
            return to_page(moved.slug)
    context = around(request.actor, place) | {
        "form": form,
        "pages": list(pages[:SHOWN_MOVES]),
        "count": pages.count(),
    }
    return render(request, "wiki/move.html", context, status=status)


def _moving(request: BrowserRequest, slug: str) -> tuple[str, Any]:
    """Return the address and the readable pages that would move with it."""
    try:
        place = slugs.parse(slug)
    except BadInput:
        raise no_such_page() from None
    pages = listed(Page.objects.readable_by(request.actor).live().under(place))
    pages = pages.order_by("slug_key")
    first = pages.first()
    if first is None:
        raise no_such_page()
    access.can_edit(request.actor, first.space).require()
    return place, pages


@require_http_methods(["GET", "HEAD", "POST"])
@member
def delete(request: BrowserRequest, slug: str) -> HttpResponse:
    """Put a page into the trash, after a page that says who links to it."""
    page = find_page(request.actor, slug).page
    access.can_edit(request.actor, page.space).require()
    if request.method == "POST":
        base = request.POST.get("base_revision", "")
        try:
            trash.delete_page(
                actor=request.actor,
                slug=page.slug,
                base_revision=int(base) if base.isdecimal() else None,
            )
        except Conflict as error:
            messages.warning(request, f"{error.message} {error.remedy}")
            return to_page(page.slug)
        messages.success(
            request, f"“{page.title}” is in the trash, from where it can come back."
        )
        return redirect("wiki:trash")
    linking = links.backlinks(request.actor, page).order_by("title", "slug_key")
    context = place_of(request.actor, page)
    context["backlinks"] = list(linking[: SHOWN_LINKS + 1])
    context["below"] = (
        Page.objects.readable_by(request.actor).live().under(page.slug).count() - 1
    )
    return render(request, "wiki/delete.html", context)


@require_safe
@member
def bin_(request: BrowserRequest) -> HttpResponse:
    """List what was deleted and can come back, newest first."""
    return _trash(request)


@require_POST
@member
def undelete(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Bring a page back; where its address is taken by now, ask for another."""
    form = UndeleteForm(request.POST)
    to = form.cleaned_data["to"].strip("/ ") if form.is_valid() else ""
    try:
        page = trash.undelete_page(actor=request.actor, uid=uid, to=to)
    except Conflict as error:
        return _trash(request, uid=uid, error=error, status=409)
    except BadInput as error:
        return _trash(request, uid=uid, error=error, status=400)
    messages.success(request, "The page is back, with all its revisions.")
    return to_page(page.slug)


def _trash(
    request: BrowserRequest,
    *,
    uid: UUID | None = None,
    error: GoClawError | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = trash.deleted_pages(request.actor).select_related("deleted_by")
    context = {
        "rows": keyset_page(rows, request.GET, by="deleted_at"),
        "refused": uid,
        "error": error,
        "suggestion": error.extra.get("suggestion", "") if error else "",
    }
    return render(request, "wiki/trash.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@member
def restrict(request: BrowserRequest, slug: str) -> HttpResponse:
    """Say who reads and who writes a section; for administrators."""
    found = restricting.restriction_of(actor=request.actor, slug=slug)
    place = slugs.parse(slug)
    is_own = found is not None and found.path == slugs.key(place)
    initial = {}
    if found and is_own:
        initial = {"readers": found.readers, "writers": found.writers}
    form = RestrictForm(request.POST or None, initial=initial)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            return _restricted(request, form, place)
        except BadInput as error:
            show_error(form, error)
            status = error.status
    context = around(request.actor, place) | {
        "form": form,
        "found": found,
        "is_own": is_own,
        "groups": list(Group.objects.order_by("name").values_list("name", flat=True)),
        "count": Page.objects.readable_by(request.actor).live().under(place).count(),
    }
    return render(request, "wiki/restrict.html", context, status=status)


def _restricted(
    request: BrowserRequest, form: RestrictForm, place: str
) -> HttpResponse:
    if "lift" in request.POST:
        restricting.lift(actor=request.actor, slug=place)
        messages.success(request, "The restriction is gone.")
    else:
        restricting.restrict(
            actor=request.actor,
            slug=place,
            readers=form.cleaned_data["readers"],
            writers=form.cleaned_data["writers"],
        )
        messages.success(request, "Only those listed read and write there now.")
    return to_page(place)
