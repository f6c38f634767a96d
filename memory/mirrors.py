"""Keep the searchable copies of pages and files: records written by the system."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.kinds import RunKind
from memory import entries
from memory.drafts import text_hash
from memory.locks import lock
from memory.models import Memory, Space


def sync_document(
    *,
    space: Space,
    agent: str,
    source_key: str,
    title: str,
    content: str,
    kind: str,
    observed_at: datetime,
    origin: str,
    prepared: entries.Prepared | None = None,
) -> Memory:
    """Make the mirror of a page or file say what the source says, and index it anew.

    Called by the system, for a page inside the transaction that saved it; `prepared`
    is then `entries.prepare(title, content)`, made before the transaction.
    """
    now = timezone.now()
    prepared = prepared or entries.prepare(title, content)
    fields = {
        "title": title,
        "content": content,
        "text_hash": text_hash(content),
        "kind": kind,
        "observed_at": observed_at,
        "updated_at": now,
        "dedup_hash": "",
        "forgotten_at": None,
    }
    with transaction.atomic():
        lock(("mirror", space.pk, agent, source_key))
        memory = Memory.objects.filter(
            space=space, agent=agent, source_key=source_key
        ).first()
        if memory is None:
            memory = Memory.objects.create(
                space=space,
                scope=space.kind,
                agent=agent,
                source_key=source_key,
                origin=origin,
                run_kind=RunKind.SYSTEM,
                **fields,
            )
        else:
            for name, value in fields.items():
                setattr(memory, name, value)
            memory.version += 1
            memory.save()
        entries.enter(memory, prepared)
        entries.queue_vectors()
    return memory


def remove_documents(memories: Iterable[Memory]) -> None:
    """Delete the mirrors of sources that are gone."""
    ids = [memory.pk for memory in memories]
    with transaction.atomic():
        entries.leave(ids)
        Memory.objects.filter(pk__in=ids).delete()
