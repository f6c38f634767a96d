"""Write the catalogue: a header, then a record a line, always in the same order."""

import json
from collections.abc import Iterator
from typing import Any

from accounts.actors import Actor
from memory import access
from memory.models import Memory
from memory.models.memories import MemoryQuerySet
from memory.scopes import Scope

FORMAT = "goclaw-catalogue"
VERSION = 1
SCOPES = (Scope.AGENT_CONFIG, Scope.AGENT_NOTES)
AT_ONCE = 500


def export_catalogue(*, actor: Actor) -> Iterator[bytes]:
    """Yield the lines of the live records; the same records give the same bytes.

    Raises Forbidden for who does not administrate, before the first line.
    """
    access.can_administrate(actor).require()
    return _lines(shared(Memory.objects.readable_by(actor)))


def shared(found: MemoryQuerySet) -> MemoryQuerySet:
    """Return the records of a query that belong to the catalogue, in its order."""
    return (
        found.live()
        .current()
        .filter(scope__in=SCOPES, source_key="")
        .order_by("scope", "domain", "key", "uid")
    )


def _lines(found: MemoryQuerySet) -> Iterator[bytes]:
    yield _line({"format": FORMAT, "version": VERSION})
    for memory in found.prefetch_related("tags").iterator(chunk_size=AT_ONCE):
        yield _line(_fields(memory))


def _fields(memory: Memory) -> dict[str, Any]:
    sequence = None
    if memory.sequence_id:
        sequence = {"id": memory.sequence_id, "position": memory.sequence_position}
    expires = memory.expires_at
    return {
        "id": str(memory.uid),
        "scope": memory.scope,
        "domain": memory.domain,
        "kind": memory.kind,
        "key": memory.key,
        "value": memory.value,
        "title": memory.title,
        "content": memory.content,
        "tags": memory.tag_names(),
        "importance": memory.importance,
        "metadata": memory.metadata,
        "observed_at": memory.observed_at.isoformat(),
        "expires_at": expires.isoformat() if expires else None,
        "sequence": sequence,
    }


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode() + b"\n"
