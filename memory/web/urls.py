"""The pages about records, from the root of the site."""

from django.urls import path

from memory.web import (
    context_views,
    decisions,
    job_views,
    list_views,
    record_views,
    search_views,
    session_views,
    status_views,
    workspace_views,
)

app_name = "memory"
urlpatterns = [
    path("", search_views.home, name="home"),
    path("search", search_views.search, name="search"),
    path("memories/", list_views.mine, name="mine"),
    path("memories/add", list_views.add, name="add"),
    path("memories/bin", list_views.bin_, name="bin"),
    path("records/", list_views.browse, name="records"),
    path("records/<uuid:uid>", record_views.record, name="record"),
    path("records/<uuid:uid>/edit", record_views.edit, name="record-edit"),
    path("records/<uuid:uid>/forget", record_views.forget, name="record-forget"),
    path("records/<uuid:uid>/restore", record_views.restore, name="record-restore"),
    path("records/<uuid:uid>/undo", decisions.undo, name="record-undo"),
    path("records/<uuid:uid>/purge", record_views.purge, name="record-purge"),
    path("sessions/", session_views.sessions, name="sessions"),
    path("sessions/<uuid:uid>", session_views.session, name="session"),
    path("sessions/<uuid:uid>/trim", session_views.trim, name="session-trim"),
    path("sessions/<uuid:uid>/close", session_views.close, name="session-close"),
    path("sessions/<uuid:uid>/confirm", session_views.confirm, name="session-confirm"),
    path(
        "sessions/<uuid:uid>/archive/<str:day>",
        session_views.archive,
        name="session-archive",
    ),
    path("workspace/", workspace_views.files, name="workspace"),
    path("workspace/<slug:slug>", workspace_views.files, name="workspace-of"),
    path(
        "workspace/<slug:slug>/read", workspace_views.read_again, name="workspace-read"
    ),
    path(
        "workspace/<slug:slug>/memory", workspace_views.edit_memory, name="memory-file"
    ),
    path("context/", context_views.context, name="context"),
    path("jobs/", job_views.jobs, name="jobs"),
    path("jobs/<uuid:uid>", job_views.job, name="job"),
    path("jobs/<uuid:uid>/retry", job_views.retry, name="job-retry"),
    path("jobs/<uuid:uid>/cancel", job_views.cancel, name="job-cancel"),
    path("status/", status_views.status, name="status"),
]
