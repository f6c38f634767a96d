"""The routes under `/agentic/`."""

from django.urls import path

from goclaw.compat.agentic import conversations, memories, workspace

app_name = "agentic"

urlpatterns = [
    path("health", memories.HealthView.as_view(), name="health"),
    path("store", memories.StoreView.as_view(), name="store"),
    path("search", memories.SearchView.as_view(), name="search"),
    path("recall", memories.RecallView.as_view(), name="recall"),
    path("facts", memories.FactsView.as_view(), name="facts"),
    path("facts/<uuid:uid>", memories.FactView.as_view(), name="fact"),
    path("compact", conversations.CompactView.as_view(), name="compact"),
    path("extract", conversations.ExtractView.as_view(), name="extract"),
    path("workspace/sync", workspace.SyncView.as_view(), name="workspace-sync"),
    path("workspace/search", workspace.SearchView.as_view(), name="workspace-search"),
    path("workspace/status", workspace.StatusView.as_view(), name="workspace-status"),
    path("workspace/read", workspace.ReadView.as_view(), name="workspace-read"),
]
