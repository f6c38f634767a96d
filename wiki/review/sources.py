"""The records behind a draft, as they are now."""

from collections.abc import Iterable
from uuid import UUID

from memory.models import Memory
from memory.models.memories import MemoryQuerySet
from memory.scopes import Scope


def records_of(uids: Iterable[str]) -> MemoryQuerySet:
    """Return the learned facts of these ids, whatever became of them.

    They are in `agent_notes`, which everybody reads.
    """
    known = Memory.objects.filter(scope=Scope.AGENT_NOTES)
    return known.filter(uid__in=[UUID(uid) for uid in uids])


def texts_of(uids: Iterable[str]) -> dict[str, str]:
    """Return what the records say, by id."""
    rows = records_of(uids).values_list("uid", "content")
    return {str(uid): content for uid, content in rows}
