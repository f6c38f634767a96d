"""What was decided about a record, as its page shows it; and taking it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.errors import Conflict
from memory import access
from memory.access import YES, Verdict
from memory.lifecycle import undoing
from memory.lifecycle.deciding import MERGE
from memory.models import Memory, Revision
from memory.web.http import page

SHOWN = 20

LABELS = {
    "edit": "Edited",
    "key": "Set again",
    "undo": "Decision undone",
    "person": "Retired by a person",
    "judge": "Retired by the judge",
    "consolidation": "Merged with others",
    "dedupe": "Retired as a duplicate",
}


@dataclass(frozen=True, slots=True)
class Decisions:
    """Why a record is retired, if it is, and what it has itself taken the place of."""

    retired_by: Revision | None
    replaces: Sequence[Revision]
    may_undo: Verdict
    """On undoing the decision that retired it, or the merge that made it."""

    @property
    def is_merge(self) -> bool:
        """Say whether the record was made of those that it replaces."""
        return any(revision.via == MERGE for revision in self.replaces)

    @property
    def can_be_undone(self) -> bool:
        """Say whether there is something here that the reader may take back."""
        return bool((self.retired_by or self.is_merge) and self.may_undo)


def label_of(via: str) -> str:
    """Return the words for how something was decided."""
    if via.startswith("rule:"):
        return f"Retired by the {via.removeprefix('rule:')} rule"
    return LABELS.get(via, via.capitalize())


def decisions_on(actor: Actor, memory: Memory) -> Decisions:
    """Return what stands of the decisions about a record."""
    standing = (
        Revision.objects.readable_by(actor)
        .decisions()
        .filter(undone_at__isnull=True)
        .select_related("memory", "replacement", "item")
    )
    retired_by = (
        standing.filter(memory=memory).first() if memory.is_superseded else None
    )
    replaces = list(standing.filter(replacement=memory)[:SHOWN])
    decided = retired_by or replaces
    return Decisions(
        retired_by=retired_by,
        replaces=replaces,
        may_undo=access.can_take_back(actor, memory) if decided else YES,
    )


@require_POST
@page
def undo(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Take back the decision that retired the record, or the merge that made it."""
    try:
        undone = undoing.undo(actor=request.actor, uid=uid)
    except Conflict as error:
        messages.warning(request, error.message)
        return redirect("memory:record", uid)
    count = len(undone.restored)
    what = "The record is" if count == 1 else f"{count} records are"
    messages.success(
        request, f"Undone for good. {what} back, and no machine decides this again."
    )
    return redirect("memory:record", uid)
