"""What the admin shows of records: nothing personal, not to a superuser either."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_base import ReadOnlyAdmin
from memory.scopes import Scope


class SharedRecords(ReadOnlyAdmin):
    """Rows of shared spaces only."""

    memory_path = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Leave out everything personal."""
        personal = {f"{self.memory_path}scope": Scope.PERSONAL}
        return super().get_queryset(request).exclude(**personal)
