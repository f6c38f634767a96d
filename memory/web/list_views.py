"""Lists of records: one's own, the bin, the shared scopes; and adding one."""

from django.contrib import messages
from django.db.models import Prefetch, Q
from django.db.models.fields.json import KT
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, GoClawError
from memory import access
from memory.drafts import Draft
from memory.lifecycle import learning
from memory.models import Memory, MemoryTag, Space
from memory.models.memories import RESTORABLE_FOR, MemoryQuerySet
from memory.scopes import SHARED_SCOPES, WRITABLE_SCOPES, Scope
from memory.spaces import space_for
from memory.web.filters import ListFilter
from memory.web.forms import NewRecord
from memory.web.http import page, show_error
from memory.web.paging import keyset_page
from memory.web.presenting import SCOPE_LABELS, SCOPE_READERS


def listed(actor: Actor) -> MemoryQuerySet:
    """Return what the actor may read, ready for a row of a list."""
    return (
        Memory.objects.readable_by(actor)
        .select_related("owner", "created_by")
        .prefetch_related(Prefetch("tags", MemoryTag.objects.order_by("name")))
        .defer("metadata", "value")
    )


def listed_in(actor: Actor, scope: str) -> MemoryQuerySet:
    """Return what the actor may read of one scope, ready for a row of a list.

    The space is named as well as permitted: the rows then come from the list's index
    in their order, whatever the number of records.
    """
    spaces = access.readable_space_ids(actor, (scope,))
    return listed(actor).filter(space_id__in=spaces).live()


def writable_spaces(actor: Actor) -> list[Space]:
    """Return the existing spaces the actor may write records to."""
    spaces = Space.objects.filter(kind__in=WRITABLE_SCOPES, path="").filter(
        Q(owner=None) | Q(owner=actor.user_id)
    )
    return [space for space in spaces if access.can_write(actor, space)]


@require_safe
@page
def mine(request: BrowserRequest) -> HttpResponse:
    """List the person's own records, newest first."""
    form = ListFilter(request.GET)
    rows = form.narrow(listed_in(request.actor, Scope.PERSONAL))
    return render(
        request,
        "memory/mine.html",
        {"form": form, "page": keyset_page(rows, request.GET)},
    )


@require_safe
@page
def browse(request: BrowserRequest) -> HttpResponse:
    """List the records of one shared scope, newest first."""
    scope = request.GET.get("scope") or Scope.AGENT_NOTES
    readable = Space.objects.filter(pk__in=access.readable_space_ids(request.actor))
    kinds = set(readable.values_list("kind", flat=True))
    scopes = [(s, SCOPE_LABELS[s]) for s in SHARED_SCOPES if s in kinds]
    if scope not in dict(scopes):
        raise BadInput("There is no such scope to browse.")
    form = ListFilter(request.GET)
    rows = form.narrow(listed_in(request.actor, scope))
    return render(
        request,
        "memory/browse.html",
        {
            "form": form,
            "scopes": scopes,
            "scope": scope,
            "page": keyset_page(rows, request.GET),
        },
    )


@require_safe
@page
def bin_(request: BrowserRequest) -> HttpResponse:
    """List what was forgotten and can still be restored, newest first."""
    since = timezone.now() - RESTORABLE_FOR
    forgotten = Memory.objects.filter(forgotten_at__gt=since)
    rows = (
        listed(request.actor)
        .filter(space__in=writable_spaces(request.actor), pk__in=forgotten.values("pk"))
        .annotate(taken_into=KT("metadata__taken_into"))
    )
    return render(
        request,
        "memory/bin.html",
        {
            "page": keyset_page(rows, request.GET, by="forgotten_at"),
            "days": RESTORABLE_FOR.days,
            "may_purge": access.can_purge(request.actor),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@page
def add(request: BrowserRequest) -> HttpResponse:
    """Write a new record."""
    space_for(request.actor, Scope.PERSONAL)
    open_to_them = {space.kind for space in writable_spaces(request.actor)}
    scopes = [
        (scope, f"{SCOPE_LABELS[scope]}: {SCOPE_READERS[scope]}")
        for scope in WRITABLE_SCOPES
        if scope in open_to_them
    ]
    form = NewRecord(request.POST or None, scopes=scopes)
    if form.is_valid():
        try:
            written = learning.write(
                actor=request.actor, draft=Draft(**form.cleaned_data)
            )
        except GoClawError as error:
            show_error(form, error)
        else:
            if written.deduplicated:
                messages.info(
                    request, written.because or "It is already there, word for word."
                )
            else:
                messages.success(request, "Saved. It can be found by word at once.")
            return redirect("memory:record", written.memory.uid)
    return render(request, "memory/record_add.html", {"form": form})
