"""Keep the searchable copies of pages and files: records written by the system."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.kinds import RunKind
from memory import entries
from memory.drafts import text_hash
from memory.locks import lock
from memory.models import Chunk, Embedding, Memory, Space
from memory.models.ids import among

MOVED_AT_ONCE = 500


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
        memory = (
            Memory.objects.mirrors()
            .filter(space=space, agent=agent, source_key=source_key)
            .first()
        )
        if memory is None:
            memory = Memory.objects.create(
                space=space,
                scope=space.kind,
                owner_id=space.owner_id,
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


def move_documents(moves: Iterable[tuple[Memory, str, Space]]) -> None:
    """Give mirrors another source key and space, of chunks and vectors as well."""
    by_space: dict[int, list[int]] = defaultdict(list)
    changed = []
    with transaction.atomic():
        for memory, source_key, space in moves:
            if memory.space_id != space.pk:
                by_space[space.pk].append(memory.pk)
            if (memory.source_key, memory.space_id) != (source_key, space.pk):
                memory.source_key, memory.space = source_key, space
                changed.append(memory)
        Memory.objects.bulk_update(
            changed, ["source_key", "space"], batch_size=MOVED_AT_ONCE
        )
        for space_id, ids in by_space.items():
            chunks = Chunk.objects.filter(memory_id__in=among(ids))
            Embedding.objects.filter(chunk__in=chunks.values("pk")).update(
                space_id=space_id
            )
            chunks.update(space_id=space_id)
