"""What admin pages share: administrators only, and noted in the audit log."""

from typing import TYPE_CHECKING, Any

from django.contrib.admin import ModelAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts import audit
from accounts.actors import actor_for_user
from accounts.http import client_ip

if TYPE_CHECKING:
    _ModelAdmin = ModelAdmin[Any]
else:  # generic for the type checker only
    _ModelAdmin = ModelAdmin


class AuditedAdmin(_ModelAdmin):
    """Notes every change made in the Django admin in the audit log as well.

    The entry names the fields that changed, never their values.
    """

    show_full_result_count = False

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        """Note a new object."""
        self._note(request, "add", str(obj), {"id": str(obj.pk)})
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        """Note which fields of an object changed."""
        self._note(request, "change", str(obj), {"id": str(obj.pk), "fields": message})
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: "QuerySet[Any]") -> Any:
        """Note each deleted object."""
        for obj in queryset:
            self._note(request, "delete", str(obj), {"id": str(obj.pk)})
        return super().log_deletions(request, queryset)

    def _note(
        self, request: HttpRequest, verb: str, target: str, details: dict[str, Any]
    ) -> None:
        audit.record(
            f"admin.{self.opts.model_name}.{verb}",
            actor=actor_for_user(request.user),  # type: ignore[arg-type]
            target=target,
            details=details,
            ip=client_ip(request),
        )


class AdministratorsOnly(AuditedAdmin):
    """For what would let a staff member become anybody: needs an administrator."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the pages to administrators only."""
        return _is_administrator(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let administrators look."""
        return _is_administrator(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let administrators add."""
        return _is_administrator(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let administrators change."""
        return _is_administrator(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let administrators delete."""
        return _is_administrator(request)


class ReadOnlyAdmin(AdministratorsOnly):
    """Rows that only the server writes, for administrators to look at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds rows by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes rows by hand."""
        return False


def _is_administrator(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_superuser
