"""The memory app's routes under `/api/`."""

from django.urls import path

from memory.api import (
    consolidation,
    context,
    db_cache,
    destruction,
    extraction,
    facts,
    hints,
    portability,
    records,
    reindex,
    replay,
    revise,
    revisions,
    search,
    session_verbs,
    sessions,
    tools,
    workspace,
)
from memory.api.jobs import JobViewSet

urlpatterns = [
    path("memory/records", records.RecordsView.as_view(), name="records"),
    path("memory/records/bulk", records.BulkView.as_view(), name="records-bulk"),
    path("memory/records/<uuid:uid>", records.RecordView.as_view(), name="record"),
    path(
        "memory/records/<uuid:uid>/restore",
        records.RestoreView.as_view(),
        name="record-restore",
    ),
    path("memory/facts", facts.FactsView.as_view(), name="facts"),
    path(
        "memory/facts/<str:scope>/<str:domain>/<path:key>",
        facts.FactView.as_view(),
        name="fact",
    ),
    path(
        "memory/db-cache/<str:source>/<path:object_name>",
        db_cache.DbCacheView.as_view(),
        name="db-cache",
    ),
    path("memory/search", search.SearchView.as_view(), name="search"),
    path("memory/get", search.GetView.as_view(), name="get"),
    path("memory/context", context.ContextView.as_view(), name="context"),
    path("memory/stats", search.StatsView.as_view(), name="stats"),
    path("memory/export", portability.ExportView.as_view(), name="export"),
    path("memory/import", portability.ImportView.as_view(), name="import"),
    path("memory/forget", destruction.ForgetView.as_view(), name="forget"),
    path("memory/clear", destruction.ClearView.as_view(), name="clear"),
    path("memory/clear-user", destruction.ClearUserView.as_view(), name="clear-user"),
    path("memory/revise", revise.ReviseView.as_view(), name="revise"),
    path("memory/dedupe", revise.DedupeView.as_view(), name="dedupe"),
    path("memory/revisions", revisions.RevisionsView.as_view(), name="revisions"),
    path("memory/revisions/undo", revisions.UndoView.as_view(), name="revisions-undo"),
    path("memory/reindex", reindex.ReindexView.as_view(), name="reindex"),
    path("memory/extract", extraction.ExtractView.as_view(), name="extract"),
    path("memory/replay", replay.ReplayView.as_view(), name="replay"),
    path(
        "memory/consolidate",
        consolidation.ConsolidateView.as_view(),
        name="consolidate",
    ),
    path("memory/hints", hints.HintsView.as_view(), name="hints"),
    path("workspace/sync", workspace.SyncView.as_view(), name="workspace-sync"),
    path("workspace/daily", workspace.DailyView.as_view(), name="workspace-daily"),
    path("workspace/status", workspace.StatusView.as_view(), name="workspace-status"),
    path("workspace/read", workspace.ReadView.as_view(), name="workspace-read"),
    path("workspace/files", workspace.FilesView.as_view(), name="workspace-files"),
    path("sessions", sessions.SessionsView.as_view(), name="sessions"),
    path(
        "sessions/search", sessions.MessageSearchView.as_view(), name="session-search"
    ),
    path("sessions/import", session_verbs.ImportView.as_view(), name="session-import"),
    path("sessions/<uuid:uid>", sessions.SessionView.as_view(), name="session"),
    *(
        path(f"sessions/<uuid:uid>/{verb}", view.as_view(), name=f"session-{verb}")
        for verb, view in (
            ("messages", sessions.MessagesView),
            ("window", sessions.WindowView),
            ("trim", session_verbs.TrimView),
            ("extract", session_verbs.ExtractView),
            ("close", session_verbs.CloseView),
            ("confirm", session_verbs.ConfirmView),
            ("export", session_verbs.ExportView),
            ("archive", session_verbs.ArchiveView),
        )
    ),
    path(
        "sessions/<uuid:uid>/archive/<str:day>",
        session_verbs.ArchiveFileView.as_view(),
        name="session-archive-file",
    ),
    path("tools", tools.CatalogueView.as_view(), name="tools"),
    path("tools/<str:name>", tools.ToolView.as_view(), name="tool"),
    path("jobs", JobViewSet.as_view({"get": "list"}), name="jobs"),
    path("jobs/<uuid:id>", JobViewSet.as_view({"get": "retrieve"}), name="job"),
    path(
        "jobs/<uuid:id>/retry", JobViewSet.as_view({"post": "retry"}), name="job-retry"
    ),
    path(
        "jobs/<uuid:id>/cancel",
        JobViewSet.as_view({"post": "cancel"}),
        name="job-cancel",
    ),
]
