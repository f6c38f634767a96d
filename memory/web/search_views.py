"""The start page and the search page."""

from dataclasses import dataclass

from django.forms.boundfield import BoundWidget
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, Unavailable
from memory.beats import silent_queues
from memory.models import Job, JobState
from memory.scopes import Scope
from memory.search import search as find
from memory.search.filters import pending_records
from memory.search.types import MAX_RESULTS, SearchAnswer
from memory.spaces import scopes_with_records
from memory.web.filters import PAGE_OF_HITS, SearchForm
from memory.web.hits import shown
from memory.web.http import page, show_error
from memory.web.list_views import listed_in

NEWEST = 6
MOST_JOBS = 5


@require_safe
@page
def home(request: BrowserRequest) -> HttpResponse:
    """Show a search box, what is new, and what needs somebody's attention."""
    unfinished = Job.objects.readable_by(request.actor)
    return render(
        request,
        "memory/home.html",
        {
            "mine": listed_in(request.actor, Scope.PERSONAL).current()[:NEWEST],
            "notes": listed_in(request.actor, Scope.AGENT_NOTES).current()[:NEWEST],
            "pending": pending_records(request.actor),
            "silent": silent_queues(),
            "broken": unfinished.in_state(JobState.FAILED, JobState.DEAD)[:MOST_JOBS],
        },
    )


@require_safe
@page
def search(request: BrowserRequest) -> HttpResponse:
    """Show the hits for a question, or why there are none."""
    form = SearchForm(request.GET)
    answer: SearchAnswer | None = None
    failure: Unavailable | None = None
    if form.is_valid() and form.cleaned_data["q"].strip():
        try:
            answer = find(request.actor, form.query())
        except BadInput as error:
            show_error(form, error)
        except Unavailable as error:
            failure = error
    context = {
        "form": form,
        "answer": answer,
        "failure": failure,
        "hits": shown(answer.hits) if answer else [],
        "more": _more(answer, form) if answer else None,
        "scopes": _scopes(request, form),
        "narrow": [form[name] for name in ("domain", "tag", "agent", "since", "until")],
        "active": _active(request, form),
    }
    status = 503 if failure else 400 if form.errors else 200
    return render(request, "memory/search.html", context, status=status)


@dataclass(frozen=True, slots=True)
class ActiveFilter:
    """A filter in use, and the address of the same search without it."""

    text: str
    url: str


def _active(request: BrowserRequest, form: SearchForm) -> list[ActiveFilter]:
    found = []
    for name, value, text in form.active():
        rest = request.GET.copy()
        rest.setlist(name, [v for v in rest.getlist(name) if v != value])
        found.append(ActiveFilter(text, f"?{rest.urlencode()}"))
    return found


def _scopes(request: BrowserRequest, form: SearchForm) -> list[BoundWidget]:
    """Return the scopes to choose from: with something to read, or chosen already."""
    offered = scopes_with_records(request.actor)
    return [
        choice
        for choice in form["scope"].subwidgets
        if choice.data["value"] in offered or choice.data["selected"]
    ]


def _more(answer: SearchAnswer, form: SearchForm) -> int | None:
    """Return how many hits to ask for next, None when these are all."""
    asked: int = form.cleaned_data["n"] or PAGE_OF_HITS
    if len(answer.hits) < asked or asked >= MAX_RESULTS:
        return None
    return min(asked + PAGE_OF_HITS, MAX_RESULTS)
