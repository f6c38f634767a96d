"""The admin's view of jobs: to look at, repeat and cancel, not to edit.

django-q2's own pages are taken out: a schedule names any function to call, and a task
can be sent again past our rules, so whoever may edit them may run any code.
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django_q.models import Failure, OrmQ, Schedule, Success

from accounts.admin_base import ReadOnlyAdmin
from goclaw.lib.errors import Conflict
from memory import queue
from memory.models import Job, WorkerBeat

for _model in (Failure, OrmQ, Schedule, Success):
    admin.site.unregister(_model)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Jobs, with the two things an administrator may do about them."""

    list_display = ["kind", "state", "key", "attempts", "created_at", "finished_at"]
    list_filter = ["state", "kind", "queue"]
    search_fields = ["uid", "key"]
    list_select_related = ["started_by"]
    actions = ["retry_jobs", "cancel_jobs"]

    @admin.action(description="Repeat the selected jobs", permissions=["view"])
    def retry_jobs(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        """Queue failed, dead and cancelled jobs again."""
        self._each(request, jobs, queue.retry, "queued again")

    @admin.action(description="Cancel the selected jobs", permissions=["view"])
    def cancel_jobs(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        """Cancel jobs that wait or run."""
        self._each(request, jobs, queue.cancel, "cancelled")

    def _each(
        self, request: HttpRequest, jobs: QuerySet[Job], what: Any, done: str
    ) -> None:
        count = 0
        for job in jobs:
            try:
                what(job)
                count += 1
            except Conflict as error:
                self.message_user(request, f"{job}: {error}", messages.WARNING)
        self.message_user(request, f"{count} {done}.")


@admin.register(WorkerBeat)
class WorkerBeatAdmin(ReadOnlyAdmin):
    """Which workers are alive."""

    list_display = ["queue", "host", "pid", "started_at", "seen_at"]
