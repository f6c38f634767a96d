"""Make anew what was left out: chunks and words at once, vectors by the workers."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef

from goclaw.state_archive.exporting import Seen
from memory import entries, reindexing
from memory.models import Chunk, Memory, Message, MessageWord
from memory.sessions import indexing

_AT_ONCE = 50


def rebuild(seen: Seen) -> None:
    """Enter every record and message that has no entries; may run again at any time."""
    _records(seen)
    _messages(seen)
    reindexing.note_made()
    with transaction.atomic():
        entries.queue_vectors()


def _records(seen: Seen) -> None:
    entered = Exists(Chunk.objects.filter(memory=OuterRef("pk")))
    waiting = Memory.objects.filter(~entered, forgotten_at__isnull=True)
    total, done, after = waiting.count(), 0, 0
    while batch := list(waiting.filter(pk__gt=after).order_by("pk")[:_AT_ONCE]):
        prepared = [entries.prepare(m.title, m.content) for m in batch]
        with transaction.atomic():
            for memory, what in zip(batch, prepared, strict=True):
                entries.enter(memory, what, new=True)
        after, done = batch[-1].pk, done + len(batch)
        seen("indexed records", done, total)


def _messages(seen: Seen) -> None:
    entered = Exists(MessageWord.objects.filter(message=OuterRef("pk")))
    waiting = Message.objects.filter(~entered)
    total, done, after = waiting.count(), 0, 0
    while batch := list(waiting.filter(pk__gt=after).order_by("pk")[:_AT_ONCE]):
        _enter(batch)
        after, done = batch[-1].pk, done + len(batch)
        seen("indexed messages", done, total)


def _enter(messages: Sequence[Message]) -> None:
    words = indexing.prepare([message.content for message in messages])
    with transaction.atomic():
        indexing.enter(list(zip(messages, words, strict=True)))
