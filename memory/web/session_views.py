"""Conversations: listed, read, searched, trimmed and closed by who takes part."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, NotFound
from memory import access
from memory.models import Memory, Session
from memory.search.types import MAX_QUERY_CHARS
from memory.sessions import archives, archiving, changing, summaries, trimming
from memory.sessions.finding import find
from memory.sessions.searching import search_messages
from memory.web.hits import words_of
from memory.web.http import page
from memory.web.paging import keyset_page

MESSAGES_SHOWN = 100
HITS_SHOWN = 20
LEARNED_SHOWN = 20


@require_safe
@page
def sessions(request: BrowserRequest) -> HttpResponse:
    """List one's conversations, or what was said in them; all, for administrators."""
    question = request.GET.get("q", "").strip()[:MAX_QUERY_CHARS]
    everyone = request.GET.get("everyone") == "1"
    rows = Session.objects.readable_by(request.actor)
    if everyone:
        access.can_administrate(request.actor).require()
        rows = Session.objects.listed_for(request.actor)
    rows = rows.select_related("agent").prefetch_related("participants")
    found = None
    if question:
        found = search_messages(
            actor=request.actor, text=question, max_results=HITS_SHOWN
        )
    return render(
        request,
        "memory/sessions.html",
        {
            "page": keyset_page(rows, request.GET, by="last_active_at"),
            "may_see_all": bool(access.can_administrate(request.actor)),
            "everyone": everyone,
            "question": question,
            "found": found,
            "hits": [
                (hit, words_of(hit.snippet.text, hit.snippet.matches))
                for hit in (found.hits if found else ())
            ],
        },
    )


@require_safe
@page
def session(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Show a conversation: its newest messages, or those before `?before=`."""
    found = find(actor=request.actor, uid=uid)
    before = request.GET.get("before", "")
    turns = found.messages.select_related("speaker").order_by("-position")
    if before:
        if not before.isdecimal() or len(before) > 9:
            raise BadInput("This page marker is malformed.", remedy="Start at the top.")
        turns = turns.filter(position__lt=int(before))
    shown = list(turns[:MESSAGES_SHOWN])[::-1]
    learned = Memory.objects.readable_by(request.actor).live().current()
    return render(
        request,
        "memory/session.html",
        {
            "session": found,
            "summary": _parts(found.summary),
            "people": found.participants.order_by("username"),
            "turns": shown,
            "earlier": shown[0].position
            if shown and shown[0].position > found.trimmed_to + 1
            else None,
            "is_newest": not before,
            "files": [archiving.day_of(path) for path in archiving.files_of(found)],
            "learned": learned.filter(session=str(uid)).prefetch_related("tags")[
                :LEARNED_SHOWN
            ],
        },
    )


def _parts(summary: str) -> list[tuple[str, Sequence[str]]]:
    """Return heading and lines of each part of a summary that has any."""
    if not summary:
        return []
    parts = summaries.from_text(summary)
    found = [(head, getattr(parts, name)) for name, head in summaries.HEADINGS.items()]
    return [(head, lines) for head, lines in found if lines]


@require_safe
@page
def archive(request: BrowserRequest, uid: UUID, day: str) -> HttpResponse:
    """Show an archive file turn by turn."""
    found = find(actor=request.actor, uid=uid)
    try:
        path = archiving.file_of(found, date.fromisoformat(day))
    except ValueError as error:
        raise NotFound("There is no such archive file.") from error
    if not path.exists():
        raise NotFound("There is no such archive file.")
    text = archiving.read_text(path)
    try:
        turns, problem = archives.from_text(text).turns, ""
    except archives.Damaged as error:
        turns, problem = [], str(error)
    return render(
        request,
        "memory/session_archive.html",
        {
            "session": found,
            "day": day,
            "turns": turns,
            "text": text,
            "problem": problem,
        },
    )


@require_POST
@page
def trim(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Archive and summarise the older half now."""
    job = trimming.trim(actor=request.actor, uid=uid, force=True)
    if job is None:
        messages.info(request, "There is nothing to trim: one turn is left.")
    else:
        messages.success(request, "The older half is being archived and summarised.")
    return redirect("memory:session", uid)


@require_POST
@page
def close(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Close a conversation; the next message opens it again."""
    changing.close(actor=request.actor, uid=uid)
    messages.success(request, "Closed. The next message opens it again.")
    return redirect("memory:session", uid)


@require_POST
@page
def confirm(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Confirm that it was oneself."""
    changing.confirm(actor=request.actor, uid=uid)
    messages.success(request, "Confirmed.")
    return redirect("memory:session", uid)
