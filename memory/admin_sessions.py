"""The admin's view of sessions: that they are there and how large, never what is said.

No text, title, variable or summary, and no conversation of one person alone: who talks
how much with an agent is personal as well.
"""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_base import ReadOnlyAdmin
from memory.models import Session, SessionKind


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    """Shared conversations: whose agent, how many messages, how far each step is."""

    list_display = [
        "uid",
        "agent",
        "confirmed",
        "message_count",
        "tokens",
        "created_at",
        "last_active_at",
        "closed_at",
    ]
    list_filter = ["confirmed", "summary_source"]
    list_select_related = ["agent"]
    search_fields = ["uid", "agent__slug"]
    ordering = ["-last_active_at", "-id"]
    fields = [
        "uid",
        "agent",
        "confirmed",
        "message_count",
        "tokens",
        "last_position",
        "trimmed_to",
        "archived_to",
        "summarised_to",
        "extracted_to",
        "summary_source",
        "created_at",
        "last_active_at",
        "closed_at",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        """Leave out conversations of one person."""
        return super().get_queryset(request).filter(kind=SessionKind.SHARED)
