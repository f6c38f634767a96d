"""Write pages: a plain form, which scripts make comfortable and never need."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import BrowserRequest
from goclaw.lib.config import wiki_config
from goclaw.lib.diffs import compare
from goclaw.lib.errors import Conflict, Forbidden, GoClawError, NotFound
from memory.web.http import show_error
from wiki import access
from wiki.drafts import with_lf
from wiki.finding import find_page
from wiki.history import newest
from wiki.models import Page
from wiki.pages import Saved, save_page
from wiki.web import presenting
from wiki.web.diffing import numbered
from wiki.web.forms import NewPageForm, PageForm
from wiki.web.http import json_error, may_create, member, wants_json


@require_http_methods(["GET", "HEAD", "POST"])
@member
def new(request: BrowserRequest) -> HttpResponse:
    """Write a page that is not there yet."""
    asked = request.GET
    if not may_create(request.actor, asked.get("slug") or asked.get("under") or "home"):
        raise Forbidden(
            "You are not among the editors of this part of the wiki.",
            remedy="Ask an administrator to add you to them.",
        )
    sent = request.POST or None
    initial = {name: asked.get(name, "") for name in ("title", "slug", "under")}
    form = NewPageForm(sent, initial=initial)
    if sent is None or "preview" in sent or not form.is_valid():
        return _form(request, form)
    return _save(request, form, form.address())


@require_http_methods(["GET", "HEAD", "POST"])
@member
def edit(request: BrowserRequest, slug: str) -> HttpResponse:
    """Change a page; what somebody else saved meanwhile is merged or shown."""
    try:
        found = find_page(request.actor, slug)
    except NotFound:
        if request.method != "POST":
            return redirect(f"{reverse('wiki:new')}?{urlencode({'slug': slug})}")
        page = None
    else:
        page = found.page
        access.can_edit(request.actor, page.space).require()
        if found.moved and request.method != "POST":
            return redirect("wiki:edit", slug=page.slug)
    if request.method != "POST" and page:
        return _form(request, PageForm(initial=_initial(page)), page=page)
    form = PageForm(request.POST)
    if "preview" in request.POST or not form.is_valid():
        return _form(request, form, page=page)
    return _save(request, form, page.slug if page else slug, page=page)


@require_POST
@member
def preview(request: BrowserRequest) -> HttpResponse:
    """Give text as the page would show it: the same renderer, links and all."""
    text = request.POST.get("body", "")
    shown = presenting.preview(request.actor, text, request.POST.get("slug", ""))
    return HttpResponse(shown)


def _initial(page: Page) -> dict[str, Any]:
    return {
        "title": page.title,
        "body": newest(page).body,
        "tags": page.tags,
        "base_revision": page.number,
    }


def _save(
    request: BrowserRequest, form: PageForm, slug: str, page: Page | None = None
) -> HttpResponse:
    try:
        saved = save_page(actor=request.actor, slug=slug, **form.page_text())
    except Conflict as error:
        if wants_json(request):
            return json_error(error)
        if page and "current_body" in error.extra:
            return _conflict(request, form, page, error)
        if error.code == "page_gone":  # sent again, it becomes a new page
            sent = request.POST.copy()
            sent["base_revision"] = ""
            form = PageForm(sent)
        _tell(form, error)
        return _form(request, form, page=page, status=409)
    except GoClawError as error:
        if wants_json(request):
            return json_error(error)
        _tell(form, error)
        return _form(request, form, page=page, status=error.status)
    if wants_json(request):
        return _saved_json(saved, form)
    _say(request, saved)
    if "stay" in request.POST:
        return redirect("wiki:edit", slug=saved.page.slug)
    return presenting.to_page(saved.page.slug)


def _tell(form: PageForm, error: GoClawError) -> None:
    """Say what is wrong where it can be seen, which hidden fields cannot."""
    if error.code == "edit_conflict" and "slug" in form.fields:
        form.add_error("slug", f"{error.message} Take another address, or edit that.")
    elif error.field == "base_revision":
        form.add_error(None, f"{error.message} {error.remedy or ''}".strip())
    else:
        show_error(form, error)


def _conflict(
    request: BrowserRequest, form: PageForm, page: Page, error: Conflict
) -> HttpResponse:
    """Show both texts, what differs, and a field to put them together in."""
    yours = with_lf(form.cleaned_data["body"])
    theirs = error.extra["current_body"]
    merged = PageForm(
        initial={
            "title": form.cleaned_data["title"],
            "body": error.extra.get("merged_body", yours),
            "tags": form.cleaned_data["tags"],
            "summary": form.cleaned_data["summary"],
            "base_revision": error.extra["current_revision"],
            "merging": True,
        }
    )
    return render(
        request,
        "wiki/conflict.html",
        {
            "form": merged,
            "page": page,
            "slug": page.slug,
            "theirs": newest(page),
            "yours": yours,
            "your_title": form.cleaned_data["title"],
            "has_marks": "merged_body" in error.extra and yours != theirs,
            "rows": numbered(compare(theirs, yours)),
            "max_file_bytes": wiki_config().max_file_bytes,
        },
        status=409,
    )


def _form(
    request: BrowserRequest, form: PageForm, *, page: Page | None = None, **reply: Any
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "page": page,
        "slug": page.slug if page else "",
        "max_file_bytes": wiki_config().max_file_bytes,
    }
    if form.errors and wants_json(request):
        return JsonResponse({"error": _first(form)}, status=400)
    if "preview" in request.POST:
        slug = page.slug if page else request.POST.get("slug", "")
        text = str(form.data.get("body", ""))
        context["preview"] = presenting.preview(request.actor, text, slug)
    reply.setdefault("status", 400 if form.errors else 200)
    return render(request, "wiki/edit.html", context, **reply)


def _first(form: PageForm) -> dict[str, str]:
    """Return what is wrong with a form, for a script."""
    field, errors = next(iter(form.errors.items()))
    label = f"{form[field].label}: " if field in form.fields else ""
    return {"code": "invalid", "message": f"{label}{errors[0]}", "field": field}


def _saved_json(saved: Saved, form: PageForm) -> JsonResponse:
    """Tell the editor where it stands now."""
    slug = saved.page.slug
    body = saved.revision.body
    typed = with_lf(form.cleaned_data["body"])
    return JsonResponse(
        {
            "slug": slug,
            "revision": saved.revision.number,
            "page_url": presenting.page_url(slug),
            "edit_url": reverse("wiki:edit", kwargs={"slug": slug}),
            "title": saved.revision.title,
            "tags": ", ".join(saved.revision.tags),
            "message": _message(saved),
            "body": body if body != typed else None,
        }
    )


def _say(request: BrowserRequest, saved: Saved) -> None:
    if saved.changed:
        messages.success(request, _message(saved))
    else:
        messages.info(request, _message(saved))


def _message(saved: Saved) -> str:
    if not saved.changed:
        return "Nothing to save: the page says exactly this already."
    text = f"Saved as revision {saved.revision.number}."
    if saved.created:
        text = "The page is made."
    if saved.merged:
        text += (
            " Somebody else had saved meanwhile; both changes are in it. See the"
            " history."
        )
    if saved.in_trash:
        text += " A deleted page that had this address is still in the trash."
    return text
