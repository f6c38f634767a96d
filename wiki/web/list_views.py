"""Ways to pages: search, recent changes, tags, and links that lead nowhere."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, Unavailable
from memory.search import SearchQuery
from memory.search.types import MAX_RESULTS
from memory.web.hits import shown
from memory.web.http import show_error
from memory.web.paging import keyset_page
from wiki import links, tagging
from wiki.finding import listed
from wiki.history import recent_changes
from wiki.models import Page
from wiki.searching import search_pages, suggest
from wiki.web.forms import WikiSearchForm
from wiki.web.http import may_create, reader
from wiki.web.recent import days_of, last_saves

BROKEN_SHOWN = 100
CHANGES = 100
"""Changes on a page of recent ones."""
HITS = 20


@require_safe
@reader
def search(request: BrowserRequest) -> HttpResponse:
    """Show the pages that answer a question, those with such titles first."""
    form = WikiSearchForm(request.GET)
    context: dict[str, Any] = {"form": form}
    text = request.GET.get("q", "")
    if form.is_valid() and text.strip():
        wanted = form.cleaned_data
        query = SearchQuery(
            text=text,
            max_results=_wanted(request.GET.get("n", "")),
            path_prefix=wanted["under"] or None,
            tags=(wanted["tag"],) if wanted["tag"] else (),
        )
        context["titles"] = suggest(request.actor, text[:200], limit=4)
        try:
            answer = search_pages(request.actor, query)
        except BadInput as error:
            show_error(form, error)
        except Unavailable as error:
            context["failure"] = error
        else:
            found = shown(answer.hits)
            context["answer"] = answer
            context["hits"] = found
            if len(found) == query.max_results and len(found) < MAX_RESULTS:
                context["more"] = MAX_RESULTS
        context["may_create"] = may_create(request.actor, "home")
    status = 503 if "failure" in context else 400 if form.errors else 200
    return render(request, "wiki/search.html", context, status=status)


@require_safe
@reader
def recent(request: BrowserRequest) -> HttpResponse:
    """Show the newest changes of all pages, by days and by who saved what."""
    changes = last_saves(recent_changes(request.actor))
    rows = keyset_page(changes, request.GET, size=CHANGES)
    context = {"rows": rows, "days": days_of(rows.rows), "today": timezone.localdate()}
    return render(request, "wiki/recent.html", context)


@require_safe
@reader
def broken(request: BrowserRequest) -> HttpResponse:
    """List links that lead nowhere, newest first."""
    rows = links.broken(request.actor).order_by("-id")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    found = list(rows[: BROKEN_SHOWN + 1])
    context = {
        "rows": found[:BROKEN_SHOWN],
        "next": found[BROKEN_SHOWN - 1].pk if len(found) > BROKEN_SHOWN else None,
        "may_create": may_create(request.actor, "home"),
    }
    return render(request, "wiki/broken.html", context)


@require_safe
@reader
def tags(request: BrowserRequest) -> HttpResponse:
    """List the tags in use; with `tag` the pages that carry it."""
    name = request.GET.get("tag", "")
    if not name:
        found = tagging.tags(request.actor, after=request.GET.get("after", ""))
        return render(request, "wiki/tags.html", {"found": found})
    rows = listed(Page.objects.readable_by(request.actor).live().tagged(name))
    context = {"tag": name, "rows": keyset_page(rows, request.GET, by="updated_at")}
    return render(request, "wiki/tag.html", context)


def _wanted(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else HITS
    return min(max(number, 1), MAX_RESULTS)
