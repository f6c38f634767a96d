"""One record: its page, and what can be done with it."""

import json
from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.errors import GoClawError, NotFound
from memory import access, changes
from memory.models import Chunk, Memory, MemoryTag, Revision
from memory.scopes import Scope
from memory.web.decisions import decisions_on, label_of
from memory.web.forms import EditRecord
from memory.web.http import page, show_error
from memory.web.presenting import FieldChange, cite, field_changes

SHOWN_REVISIONS = 20
NEIGHBOURS = 3


def readable_record(actor: Actor, uid: UUID) -> Memory:
    """Return the record, forgotten ones included; raises NotFound."""
    found = (
        Memory.objects.readable_by(actor)
        .select_related(
            "space", "owner", "created_by", "created_by_key", "superseded_by"
        )
        .prefetch_related(Prefetch("tags", MemoryTag.objects.order_by("name")))
        .filter(uid=uid)
        .first()
    )
    if found is None:
        raise NotFound("There is no such record.")
    return found


@require_safe
@page
def record(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Show a record: text, facts about it, history, neighbours."""
    memory = readable_record(request.actor, uid)
    return render(
        request,
        "memory/record.html",
        {
            "memory": memory,
            "nav_path": _nav_path(memory),
            "cited": cite(memory.content, request.GET.get("lines", "")),
            "value": _pretty(memory.value) if memory.key else "",
            "metadata": _pretty(memory.metadata) if memory.metadata else "",
            "chunk_count": Chunk.objects.filter(memory=memory).count(),
            "history": _history(request.actor, memory),
            "decisions": decisions_on(request.actor, memory),
            "neighbours": _neighbours(request.actor, memory),
            "may_change": access.can_change(request.actor, memory),
            "may_purge": access.can_purge(request.actor),
        },
    )


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _history(
    actor: Actor, memory: Memory
) -> Sequence[tuple[Revision, str, list[FieldChange]]]:
    """Return the newest decisions about the record, what they were, what changed."""
    revisions = list(
        Revision.objects.readable_by(actor)
        .filter(memory=memory)
        .select_related("actor", "replacement", "undone_by")[:SHOWN_REVISIONS]
    )
    current = {name: getattr(memory, name) for name in changes.EDITABLE - {"tags"}}
    current["tags"] = memory.tag_names()
    return list(
        zip(
            revisions,
            (label_of(revision.via) for revision in revisions),
            field_changes((r.before for r in revisions), current),
            strict=True,
        )
    )


def _neighbours(actor: Actor, memory: Memory) -> list[Memory]:
    """Return the records around this one in its sequence, in order."""
    if not memory.sequence_id:
        return []
    others = (
        Memory.objects.readable_by(actor)
        .live()
        .filter(space_id=memory.space_id, sequence_id=memory.sequence_id)
        .defer("metadata", "value")
    )
    here = memory.sequence_position
    before = others.filter(sequence_position__lt=here).order_by("-sequence_position")
    after = others.filter(sequence_position__gt=here).order_by("sequence_position")
    return [*reversed(before[:NEIGHBOURS]), *after[:NEIGHBOURS]]


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Change a record; a newer version of somebody else is never overwritten."""
    memory = readable_record(request.actor, uid)
    if memory.is_forgotten:
        raise NotFound("There is no such record.")
    access.can_change(request.actor, memory).require()
    form = EditRecord(request.POST or None, memory=memory)
    theirs = None
    if form.is_valid():
        try:
            changes.edit(
                actor=request.actor,
                uid=uid,
                changes=form.changes(),
                version=form.cleaned_data["version"],
            )
        except GoClawError as error:
            if error.code == "version_conflict":
                theirs = memory
            else:
                show_error(form, error)
        else:
            messages.success(request, "Saved. The old version is in the history.")
            return redirect("memory:record", uid)
    return render(
        request,
        "memory/record_edit.html",
        {
            "form": form,
            "memory": memory,
            "nav_path": _nav_path(memory),
            "theirs": theirs,
        },
        status=409 if theirs else 200,
    )


@require_POST
@page
def forget(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Move a record to the bin, with an undo in the next page's message."""
    memory = changes.forget(actor=request.actor, uid=uid)
    messages.success(
        request,
        "Forgotten. It can be restored for 30 days.",
        extra_tags=f"undo:{reverse('memory:record-restore', args=[memory.uid])}",
    )
    return redirect(_list_of(memory))


@require_POST
@page
def restore(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Bring a record back from the bin."""
    changes.restore(actor=request.actor, uid=uid)
    messages.success(request, "Restored.")
    return redirect("memory:record", uid)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def purge(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Delete a record for good, after a page that asks."""
    memory = readable_record(request.actor, uid)
    access.can_purge(request.actor).require()
    access.can_change(request.actor, memory).require()
    if request.method == "POST":
        changes.purge(actor=request.actor, uid=uid)
        messages.success(request, "Deleted for good.")
        return redirect(_list_of(memory))
    context = {"memory": memory, "nav_path": _nav_path(memory)}
    return render(request, "memory/record_purge.html", context)


def _nav_path(memory: Memory) -> str:
    """Return the page of the rail that a record belongs to; its address says Browse."""
    return reverse("memory:mine") if memory.scope == Scope.PERSONAL else ""


def _list_of(memory: Memory) -> str:
    """Return the address of the list that a record of this scope is in."""
    if memory.scope == Scope.PERSONAL:
        return reverse("memory:mine")
    return f"{reverse('memory:records')}?scope={memory.scope}"
