"""The admin's view of what was decided: to look at; people decide at `/review/`."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_base import ReadOnlyAdmin
from memory.admin_shared import SharedRecords
from memory.models import ReviewItem, Revision
from memory.scopes import Scope

HIDDEN = "(restricted)"


@admin.register(Revision)
class RevisionAdmin(SharedRecords):
    """Decisions about shared records, and whether they still stand."""

    memory_path = "memory__"
    list_display = [
        "memory",
        "via",
        "replacement",
        "reason",
        "run",
        "actor",
        "created_at",
        "undone_at",
    ]
    list_filter = ["via", ("undone_at", admin.EmptyFieldListFilter)]
    search_fields = ["memory__uid", "run"]
    search_help_text = "Id of a record, or a run."
    list_select_related = ["memory", "replacement", "actor"]


@admin.register(ReviewItem)
class ReviewItemAdmin(ReadOnlyAdmin):
    """What waits for people, or was decided; of restricted pages only that it does."""

    list_display = [
        "shown_title",
        "kind",
        "state",
        "space",
        "domain",
        "via",
        "agent",
        "created_at",
        "decided_by",
        "decided_at",
    ]
    list_filter = ["state", "kind"]
    list_select_related = ["space", "decided_by"]
    search_fields = ["uid", "run", "domain"]
    search_help_text = "Id, run or domain."
    ordering = ["-created_at", "-id"]
    readonly_fields = [
        "uid",
        "shown_title",
        "kind",
        "state",
        "space",
        "domain",
        "via",
        "agent",
        "run",
        "shown_risks",
        "added",
        "removed",
        "facts",
        "unsourced",
        "created_at",
        "queued_at",
        "decided_at",
        "decided_by",
        "shown_reason",
    ]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show these, and nothing that a draft says."""
        return self.readonly_fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReviewItem]:
        """Leave out everything personal."""
        found: QuerySet[ReviewItem] = super().get_queryset(request)
        return found.exclude(space__kind=Scope.PERSONAL)

    @admin.display(description="title")
    def shown_title(self, item: ReviewItem) -> str:
        """Return the title of what everybody may read."""
        return HIDDEN if item.space.path else item.title

    @admin.display(description="reason")
    def shown_reason(self, item: ReviewItem) -> str:
        """Return why it was refused, where everybody may read the page."""
        return HIDDEN if item.space.path else item.reason

    @admin.display(description="risks")
    def shown_risks(self, item: ReviewItem) -> str:
        """Return the names of its flags."""
        return ", ".join(flag.name.lower() for flag in item.risk if flag.name)
