"""The memory app: what must be in place after the tables are."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate


def _prepare(using: str, **kwargs: Any) -> None:
    """Make the shared spaces and (re)make the index structures of the engine."""
    from memory.search.engines import get_engine
    from memory.spaces import ensure_shared_spaces

    ensure_shared_spaces(settings.GOCLAW_WRITE_ACCESS)
    get_engine().prepare()


class MemoryConfig(AppConfig):
    """Records, search, jobs."""

    name = "memory"

    def ready(self) -> None:
        """Register what runs after every migrate."""
        post_migrate.connect(_prepare, sender=self)
