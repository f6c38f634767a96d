"""Django admin pages of spaces and their writers, agents, memories, chunks and tags.

Records go round the door of `readable_by` here, so nothing personal is ever shown, not
to a superuser either; and nothing of a record is changed here.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.admin_base import AdministratorsOnly, ReadOnlyAdmin
from memory import (  # noqa: F401  (register more pages)
    admin_queue,
    admin_review,
    admin_sessions,
)
from memory.admin_shared import SharedRecords
from memory.models import (
    Agent,
    Chunk,
    EmbeddingModel,
    Memory,
    MemoryTag,
    Space,
    SpaceGroupPermission,
    SpaceUserPermission,
)
from memory.scopes import Scope

GRANTS = ("write_space", "view_space")

if TYPE_CHECKING:
    _GrantForm = forms.ModelForm[Model]
    _GrantField = forms.ModelChoiceField[Permission]
    _Inline = admin.TabularInline[Any, Space]
else:  # generic for the type checker only
    _GrantForm = forms.ModelForm
    _GrantField = forms.ModelChoiceField
    _Inline = admin.TabularInline


class GrantField(_GrantField):
    """What a space's page can give."""

    def label_from_instance(self, obj: Permission) -> str:
        """Return it in plain words."""
        return "may write" if obj.codename == "write_space" else "may read"


class GrantForm(_GrantForm):
    """One listed writer (or reader of a restricted section)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        granted = Permission.objects.filter(
            content_type__app_label="memory", codename__in=GRANTS
        )
        self.fields["permission"] = GrantField(granted.order_by("-codename"))


class ListedUsers(_Inline):
    """The users that may write here."""

    model = SpaceUserPermission
    form = GrantForm
    autocomplete_fields = ["user"]
    extra = 0
    verbose_name, verbose_name_plural = "listed user", "listed users"


class ListedGroups(_Inline):
    """The groups whose members may write here."""

    model = SpaceGroupPermission
    form = GrantForm
    autocomplete_fields = ["group"]
    extra = 0
    verbose_name, verbose_name_plural = "listed group", "listed groups"


@admin.register(Space)
class SpaceAdmin(AdministratorsOnly):
    """Shared spaces: who may write them, and whether the list counts."""

    list_display = ["kind", "path", "listed_writers_enabled"]
    list_filter = ["kind"]
    fields = ["kind", "path", "listed_writers_enabled"]
    readonly_fields = ["kind", "path"]
    inlines = [ListedUsers, ListedGroups]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Space]:
        """Leave out personal spaces: their owner is all there is to know."""
        return super().get_queryset(request).exclude(kind=Scope.PERSONAL)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Spaces come with their scope."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleting a space would delete its records."""
        return False


@admin.register(Agent)
class AgentAdmin(AdministratorsOnly):
    """The agents whose workspaces are indexed."""

    list_display = ["slug", "name", "default", "synced_at"]
    search_fields = ["slug", "name"]
    readonly_fields = ["synced_at"]

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> list[str]:
        """Keep the slug of an agent: its folder has that name."""
        return ["synced_at", "slug"] if obj else ["synced_at"]


@admin.register(Memory)
class MemoryAdmin(SharedRecords):
    """Records of shared spaces."""

    list_display = [
        "uid",
        "scope",
        "kind",
        "domain",
        "title",
        "index_state",
        "created_at",
    ]
    list_filter = ["scope", "kind", "index_state", "origin"]
    search_fields = ["uid", "title", "content", "source_key", "key"]
    search_help_text = "Id, title, text, source or key."
    list_select_related = True


@admin.register(Chunk)
class ChunkAdmin(SharedRecords):
    """The chunks of shared records."""

    memory_path = "memory__"
    list_display = ["memory", "ordinal", "line_start", "line_end", "heading"]
    search_fields = ["memory__uid", "memory__source_key"]
    list_select_related = ["memory"]


@admin.register(MemoryTag)
class TagAdmin(SharedRecords):
    """The tags of shared records."""

    memory_path = "memory__"
    list_display = ["name", "memory"]
    search_fields = ["name"]
    list_select_related = ["memory"]


@admin.register(EmbeddingModel)
class EmbeddingModelAdmin(ReadOnlyAdmin):
    """The models whose vectors are kept; searches use the one that was ready last."""

    list_display = ["provider", "name", "dimension", "ready_at", "created_at"]
