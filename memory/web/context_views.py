"""The page that shows what an agent sees, and how it came about."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.actors import Actor, actor_for_turn
from accounts.http import BrowserRequest
from accounts.kinds import Conversation, RunKind
from accounts.models import User
from goclaw.lib.errors import GoClawError
from memory import access
from memory.context import Context, Row, assemble
from memory.web.http import page, show_error
from memory.web.workspace_forms import ContextForm
from memory.workspace import all_agents

LABELS = {
    "critical_constraints": "Critical constraints",
    "memory_file": "Memory.md",
    "agent_config": "Agent configuration",
    "note_count": "Number of agent notes",
    "user_notes": "Notes that name the user",
    "recent_memory": "Recent memory",
    "previous_context": "Previous context",
    "datasources": "Data sources",
    "memory_files": "Newest memory files",
    "user_file": "USER.md",
    "user_identity": "Who the user is",
    "now": "Date and time",
    "matching_notes": "Notes that match",
    "learned_knowledge": "Learned knowledge",
    "personal_memory": "Personal memory",
    "hooks": "Fetched by hooks",
    "queries": "Earlier queries",
}


@dataclass(frozen=True, slots=True)
class Share:
    """A piece of the bar of a whole budget: where it begins, and how wide it is."""

    label: str
    tone: str
    start: int
    width: int


@require_http_methods(["GET", "HEAD", "POST"])
@page
def context(request: BrowserRequest) -> HttpResponse:
    """Show the prompt's memory for a message; it comes by POST and is in no log."""
    for_others = bool(access.can_administrate(request.actor))
    all_agents()
    form = ContextForm(request.POST or None, for_others=for_others)
    found: Context | None = None
    other: User | None = None
    if form.is_valid():
        other = form.cleaned_data.get("person")
        me = User.objects.get(username=request.actor.username)
        if other == me:
            other = None
        actor = _actor(other or me, form.cleaned_data["situation"])
        try:
            found = assemble(
                actor=actor, query=form.query(), hide_personal=other is not None
            )
        except GoClawError as error:
            show_error(form, error)
    return render(
        request,
        "memory/context.html",
        {
            "form": form,
            "found": found,
            "other": other,
            "rows": _rows(found) if found else [],
            "shares": _shares(found) if found else [],
            "total": _total(found) if found else 0,
            "largest": max((r.offered for r in found.report.sections), default=0)
            if found
            else 0,
        },
        status=400 if form.errors else 200,
    )


def _actor(person: User, situation: str) -> Actor:
    if situation == RunKind.CRON:
        return actor_for_turn(person, run=RunKind.CRON)
    return actor_for_turn(person, conversation=Conversation(situation))


def _rows(found: Context) -> list[tuple[str, Row]]:
    return [(LABELS[row.name], row) for row in found.report.sections]


def _total(found: Context) -> int:
    """Return what the whole bar stands for: the budget, or without one what is used."""
    sections = sum(row.size for row in found.report.sections if row.in_budget)
    used = found.report.session_used + found.report.message_used
    return max(found.report.budget, used, sections, 1)


def _shares(found: Context) -> list[Share]:
    """Return the pieces of the bar, each section of the budget in its order."""
    shares, start = [], 0
    for row in found.report.sections:
        if row.in_budget and row.size:
            shares.append(Share(LABELS[row.name], row.part, start, row.size))
            start += row.size
    return shares
