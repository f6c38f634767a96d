"""Read the wiki: pages, sections, and the same as text for programs."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, NotFound
from wiki import feeds, slugs
from wiki.finding import Found, find_page, no_such_page
from wiki.history import newest
from wiki.models import Page
from wiki.web.http import may_create, program, reader
from wiki.web.navigation import branch
from wiki.web.presenting import (
    about,
    around,
    article,
    page_url,
    place_of,
    to_page,
)
from wiki.web.tree_drawing import branch_list

HOME = "home"
MOST_LISTED = 2000
"""Pages that `/llms.txt` names."""


@require_safe
@reader
def home(request: BrowserRequest) -> HttpResponse:
    """Show the page `home`, or all pages when there is none yet."""
    try:
        return _shown(request, find_page(request.actor, HOME).page)
    except NotFound:
        return _all_pages(request)


@require_safe
@reader
def show(request: BrowserRequest, slug: str) -> HttpResponse:
    """Show a page; an old address leads to the present one."""
    if slug.endswith("/"):
        return to_page(slug.rstrip("/"))
    try:
        found = find_page(request.actor, slug)
    except NotFound:
        return _section(request, slug)
    if found.moved:
        return to_page(found.page.slug, moved_from=_old_address(found, slug))
    return _shown(request, found.page)


@require_safe
@reader
def pages(request: BrowserRequest) -> HttpResponse:
    """List one level of the tree; as a fragment for the tree beside a page."""
    return _all_pages(request)


@require_safe
@program
def markdown(request: BrowserRequest, slug: str) -> HttpResponse:
    """Give the text of a page as it was written."""
    found = find_page(request.actor, slug)
    if found.moved:
        return redirect("wiki:markdown", slug=found.page.slug)
    return _text(newest(found.page).body, "text/markdown")


@require_safe
@program
def llms(request: BrowserRequest) -> HttpResponse:
    """Give a list of the pages for language models, as llmstxt.org proposes."""
    site = request.build_absolute_uri("/").rstrip("/")
    found = Page.objects.readable_by(request.actor).live().order_by("slug_key")
    rows = found.values_list("slug", "title", "excerpt")[:MOST_LISTED]
    lines = ["# Wiki", "", "> Pages of the organisation, each as Markdown.", ""]
    section = None
    for slug, title, excerpt in rows:
        top = slug.partition("/")[0]
        if top != section:
            section = top
            lines += ["", f"## {top}", ""]
        label = title.replace("[", "(").replace("]", ")")
        about_it = f": {' '.join(excerpt.split())}" if excerpt else ""
        lines.append(f"- [{label}]({site}{page_url(slug, 'markdown')}){about_it}")
    return _text("\n".join(lines) + "\n", "text/plain")


@require_safe
@program
def feed(request: BrowserRequest) -> HttpResponse:
    """Give the recent changes as Atom."""
    site = request.build_absolute_uri("/").rstrip("/")
    xml = feeds.atom(request.actor, site=site)
    return HttpResponse(xml, content_type="application/atom+xml; charset=utf-8")


def _all_pages(request: BrowserRequest) -> HttpResponse:
    section = _parsed(request.GET.get("slug", ""))
    after = _parsed(request.GET.get("after", ""))
    found = branch(request.actor, section, after=after)
    if section and not found.items:
        raise no_such_page()
    if request.GET.get("fragment"):
        return HttpResponse(branch_list(found))
    context = around(request.actor, section) | {"branch": found}
    context["may_create"] = may_create(request.actor, section or HOME)
    return render(request, "wiki/section.html", context)


def _shown(request: BrowserRequest, page: Page) -> HttpResponse:
    actor = request.actor
    context = place_of(actor, page) | about(actor, page)
    revision = context["revision"] or newest(page)
    context["article"] = article(actor, revision)
    context["moved_from"] = _moved_from(actor, page, request.GET.get("from", ""))
    return render(request, "wiki/page.html", context)


def _section(request: BrowserRequest, slug: str) -> HttpResponse:
    """Show what lies below an address without a page of its own."""
    section = _parsed(slug)
    found = branch(request.actor, section)
    if not found.items:
        raise no_such_page()
    if section != slug:
        return redirect(page_url(section))
    context = around(request.actor, section) | {"branch": found}
    context["may_create"] = may_create(request.actor, section)
    return render(request, "wiki/section.html", context)


def _parsed(text: str) -> str:
    """Return the slug that a text is, "" for none; raises NotFound for nonsense."""
    try:
        return slugs.parse(text) if text else ""
    except BadInput:
        raise no_such_page() from None


def _old_address(found: Found, slug: str) -> str:
    """Return the address that led here by a redirect, "" for another spelling."""
    return "" if slugs.canonical(slug) == found.page.slug else slug


def _moved_from(actor: Actor, page: Page, old: str) -> str:
    """Return the old address, if it really is one of the page."""
    if not old:
        return ""
    try:
        found = find_page(actor, old)
    except NotFound:
        return ""
    return old if found.moved and found.page.pk == page.pk else ""


def _text(text: str, media_type: str) -> HttpResponse:
    return HttpResponse(text, content_type=f"{media_type}; charset=utf-8")
