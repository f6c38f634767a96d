"""Jobs: where they stand, what went wrong, try again."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.actors import Actor
from accounts.http import BrowserRequest
from goclaw.lib.errors import BadInput, NotFound
from memory import queue
from memory.models import Job, JobState
from memory.models.jobs import REPEATABLE, UNFINISHED
from memory.web.http import page
from memory.web.paging import keyset_page


@require_safe
@page
def jobs(request: BrowserRequest) -> HttpResponse:
    """List the jobs of a state, or all of them, newest first."""
    rows = Job.objects.readable_by(request.actor).select_related("started_by")
    state = request.GET.get("state", "")
    if state:
        if state not in JobState:
            raise BadInput(f"There is no job state {state!r}.")
        rows = rows.in_state(JobState(state))
    return render(
        request,
        "memory/jobs.html",
        {
            "page": keyset_page(rows, request.GET),
            "states": JobState.choices,
            "state": state,
            "repeatable": REPEATABLE,
        },
    )


@require_safe
@page
def job(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Show one job: progress, timings, counts, error."""
    found = _readable_job(request.actor, uid)
    return render(
        request,
        "memory/job.html",
        {"job": found, "repeatable": REPEATABLE, "unfinished": UNFINISHED},
    )


@require_POST
@page
def retry(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Queue a failed or dead job again."""
    again = queue.retry(_readable_job(request.actor, uid))
    messages.success(request, "Queued again.")
    return redirect("memory:job", again.uid)


@require_POST
@page
def cancel(request: BrowserRequest, uid: UUID) -> HttpResponse:
    """Take a waiting job out, or let a running one end."""
    queue.cancel(_readable_job(request.actor, uid))
    messages.success(request, "Cancelled. What it has done so far stays done.")
    return redirect("memory:job", uid)


def _readable_job(actor: Actor, uid: UUID) -> Job:
    rows = Job.objects.readable_by(actor).select_related("started_by")
    found = rows.filter(uid=uid).first()
    if found is None:
        raise NotFound("There is no such job.")
    return found
