"""Django admin pages of the wiki: metadata to look at, nothing to change.

Administrators read and edit pages where everybody does, by the wiki's rules. Here they
see that a restricted page exists, never what it says: titles, summaries and texts of
restricted pages are not shown.
"""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_base import ReadOnlyAdmin
from wiki.models import Page, Redirect, Revision

HIDDEN = "(restricted)"


@admin.register(Page)
class PageAdmin(ReadOnlyAdmin):
    """Where pages are, who changed them last, and what lies in the trash."""

    list_display = [
        "slug",
        "shown_title",
        "space",
        "number",
        "size",
        "updated_at",
        "updated_by",
        "deleted_at",
    ]
    list_filter = [("deleted_at", admin.EmptyFieldListFilter)]
    list_select_related = ["space", "updated_by"]
    search_fields = ["slug_key__startswith"]
    search_help_text = "How the slug begins."
    ordering = ["-updated_at", "-id"]
    readonly_fields = [
        "uid",
        "slug",
        "shown_title",
        "space",
        "number",
        "size",
        "created_at",
        "updated_at",
        "updated_by",
        "deleted_at",
        "deleted_by",
    ]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show these, and nothing that the page says."""
        return self.readonly_fields

    @admin.display(description="title")
    def shown_title(self, page: Page) -> str:
        """Return the title of a page that everybody may read."""
        return HIDDEN if page.space.path else page.title


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    """Who saved what, when, and how; without the texts."""

    list_display = [
        "slug",
        "number",
        "shown_summary",
        "size",
        "author",
        "origin",
        "run_kind",
        "created_at",
    ]
    list_filter = ["origin", "run_kind"]
    list_select_related = ["page__space", "author"]
    search_fields = ["page__slug_key__startswith"]
    search_help_text = "How the slug begins."
    ordering = ["-created_at", "-id"]
    readonly_fields = [
        "uid",
        "page",
        "number",
        "slug",
        "shown_summary",
        "size",
        "base",
        "author",
        "key",
        "origin",
        "run_kind",
        "created_at",
    ]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show these, and nothing that the page says."""
        return self.readonly_fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Revision]:
        """Leave the texts in the database."""
        found: QuerySet[Revision] = super().get_queryset(request)
        return found.defer("body", "title")

    @admin.display(description="summary")
    def shown_summary(self, revision: Revision) -> str:
        """Return the summary where everybody may read the page."""
        return HIDDEN if revision.page.space.path else revision.summary


@admin.register(Redirect)
class RedirectAdmin(ReadOnlyAdmin):
    """Old addresses, and the pages they lead to."""

    list_display = ["slug", "page", "created_at"]
    list_select_related = ["page"]
    search_fields = ["slug_key__startswith"]
    ordering = ["-created_at", "-id"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Redirects can be taken away: the old address is then a missing page."""
        return self.has_view_permission(request, obj)
