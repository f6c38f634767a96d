"""The pages of an agent's files: their list, and the editor of its curated memory."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.http import BrowserRequest
from goclaw.lib.diffs import diff
from goclaw.lib.errors import GoClawError
from memory import access, memory_file
from memory.context.previewing import preview_memory_file
from memory.web.http import page, show_error
from memory.web.workspace_forms import MemoryFileForm
from memory.workspace import DEFAULT_AGENT, all_agents, get_agent, sync
from memory.workspace_listing import list_files

MOST_FILES = 1_000
MOST_LINES = 600


@require_safe
@page
def files(request: BrowserRequest, slug: str = DEFAULT_AGENT) -> HttpResponse:
    """List the files of an agent with the state of each."""
    agents = all_agents()
    agent = get_agent(slug)
    listed = list_files(request.actor, agent)
    return render(
        request,
        "memory/workspace.html",
        {
            "agents": agents,
            "agent": agent,
            "files": listed[:MOST_FILES],
            "more": max(0, len(listed) - MOST_FILES),
            "has_memory_file": any(f.path in memory_file.NAMES for f in listed),
            "may_edit": access.can_administrate(request.actor),
        },
    )


@require_POST
@page
def read_again(request: BrowserRequest, slug: str) -> HttpResponse:
    """Read an agent's files now."""
    result = sync(get_agent(slug))
    counts = ("added", "changed", "removed", "unchanged")
    said = ", ".join(f"{getattr(result, name)} {name}" for name in counts)
    messages.success(request, f"The files were read: {said}.")
    return redirect("memory:workspace-of", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def edit_memory(request: BrowserRequest, slug: str) -> HttpResponse:
    """Change `Memory.md`; what somebody else has saved meanwhile is never overwritten.

    The button `preview` shows what the prompt will contain, and saves nothing.
    """
    access.can_administrate(request.actor).require()
    agent = get_agent(slug)
    found = memory_file.load(agent)
    initial = {"text": found.text, "version": found.version}
    form = MemoryFileForm(request.POST or None, initial=initial)
    text, theirs = found.text, None
    if form.is_valid():
        text = form.cleaned_data["text"]
        if "preview" not in request.POST:
            try:
                memory_file.save(
                    actor=request.actor,
                    agent=agent,
                    text=text,
                    version=form.cleaned_data["version"],
                )
            except GoClawError as error:
                if error.code == "version_conflict":
                    theirs = memory_file.load(agent)
                else:
                    show_error(form, error)
            else:
                messages.success(request, f"{found.path} is saved.")
                return redirect("memory:workspace-of", slug)
    return render(
        request,
        "memory/memory_file.html",
        {
            "agent": agent,
            "form": form,
            "preview": preview_memory_file(text),
            "theirs": theirs,
            "changes": diff(text, theirs.text, most=MOST_LINES) if theirs else [],
        },
        status=409 if theirs else 400 if form.errors else 200,
    )
