"""Make the entries of the index anew: on request, or because they are made otherwise.

A job goes through the records by id, some at a time, in short transactions.
Where a text is cut as before only the keyword entries are replaced, and its vectors go
on serving. Where the cut changed the record is entered anew; its vectors follow.
It often hands back, so that those vectors, and those of new records, come in between.
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.actors import Actor, system_actor
from goclaw.lib.config import chunk_config, search_config
from memory import access, entries
from memory.chunking import Span
from memory.models import Chunk, IndexRecipe, Job, JobKind, JobState, Memory
from memory.models.jobs import JobQuerySet
from memory.models.memories import MemoryQuerySet
from memory.queue import enqueue, lock_key
from memory.runner import JobResult, JobRun
from memory.search.engines import get_engine

KEY = "all"
TURN_S = 2.0
"""Seconds after which the records that wait for their vectors get their turn."""
ENTERED_A_TURN = 200
"""Records that may lose their vectors in a turn, and are embedded before the next."""
RECORDS_AT_ONCE, CHUNKS_AT_ONCE = 20, 100
"""What shares a transaction, so that writers need not wait."""


def recipe() -> dict[str, Any]:
    """Return all that decides how a record is cut and analysed."""
    chunks = chunk_config()
    return {
        "version": entries.VERSION,
        "language": search_config().language,
        "size": chunks.size,
        "overlap": chunks.overlap,
        "window": chunks.window,
    }


def follow_settings() -> Job | None:
    """Queue the job unless every entry is made as the settings say now."""
    now, made = recipe(), IndexRecipe.objects.first()
    if made is not None and made.recipe == now:
        return None
    if made is None and not Memory.objects.exists():
        _remember(now)
        return None
    if job := _live().first():
        return job  # it looks at the settings itself
    # Of unknown entries nothing shows how the windows of their vectors were cut.
    return request(actor=system_actor(), vectors=made is None)


def request(*, actor: Actor, vectors: bool = False) -> Job:
    """Return the job that makes every entry anew, with `vectors` those as well.

    One that waits or runs, and does as much, is returned instead of a second one.
    Raises Forbidden for who does not administrate.
    """
    access.can_administrate(actor).require()
    with transaction.atomic():
        lock_key(JobKind.REINDEX, KEY, shared=False)
        for job in _live():
            if job.payload["vectors"] or not vectors:
                return job
        job = enqueue(
            JobKind.REINDEX, key=KEY, payload={"vectors": vectors}, started_by=actor
        )
        if job.payload["vectors"] != vectors:
            job.payload = {"vectors": vectors}  # from the beginning
            job.save(update_fields=["payload"])
        return job


def note_made() -> None:
    """Note that every entry has just been made as the settings say now."""
    _remember(recipe())


def run_reindex_job(run: JobRun) -> JobResult:
    """Do a turn; the payload keeps the place, and with what it was begun.

    A job that was begun with other settings begins again.
    """
    place = run.payload
    if place.get("recipe") != recipe():
        _begin(place)
    counts = {"records": 0, "entered_anew": 0}
    ends = time.monotonic() + TURN_S
    while batch := _next_batch(place["after"]):
        counts["records"] += len(batch)
        counts["entered_anew"] += _renew(batch, anew=place["vectors"])
        place["after"] = batch[-1][0].pk
        place["done"] += len(batch)
        run.heartbeat(place["done"], max(place["total"], place["done"]))
        long = time.monotonic() > ends or counts["entered_anew"] >= ENTERED_A_TURN
        if long or run.should_stop():
            return JobResult(counts, finished=False)
    _remember(place["recipe"])
    return JobResult(counts)


def _live() -> JobQuerySet:
    """Return the jobs that wait or run, the oldest first."""
    jobs = Job.objects.filter(kind=JobKind.REINDEX, key=KEY).order_by("pk")
    return jobs.in_state(JobState.QUEUED, JobState.RUNNING)


def _begin(place: dict[str, Any]) -> None:
    """Put the place before the first record; until the end no recipe holds for all.

    Where the windows change, the vectors have to be made anew as well.
    """
    now, made = recipe(), IndexRecipe.objects.first()
    before = place.get("recipe") or (made.recipe if made else now)
    place["vectors"] |= before["window"] != now["window"]
    IndexRecipe.objects.all().delete()
    total = _entered().count()
    place |= {"recipe": now, "after": 0, "done": 0, "total": total}


@transaction.atomic
def _remember(made: dict[str, Any]) -> None:
    IndexRecipe.objects.all().delete()
    IndexRecipe.objects.create(recipe=made)


_Batch = list[tuple[Memory, entries.Prepared]]


def _entered() -> MemoryQuerySet:
    """Return the records that have entries: expired ones may come back by an edit."""
    return Memory.objects.filter(forgotten_at__isnull=True)


def _next_batch(after: int) -> _Batch:
    """Return the next records by id, analysed; empty at the end."""
    batch: _Batch = []
    chunks = 0
    rows = _entered().filter(pk__gt=after).order_by("pk")[:RECORDS_AT_ONCE]
    for memory in rows:
        prepared = entries.prepare(memory.title, memory.content)
        batch.append((memory, prepared))
        chunks += len(prepared.spans)
        if chunks >= CHUNKS_AT_ONCE:
            break
    return batch


def _renew(batch: _Batch, *, anew: bool) -> int:
    """Replace the entries of the records; return how many were entered anew.

    A record that has changed or gone since it was read is left alone: who changed it
    entered it.
    """
    same: list[tuple[int, Sequence[str]]] = []
    entered = 0
    with transaction.atomic():
        ids = [memory.pk for memory, _ in batch]
        rows = _entered().filter(pk__in=ids).order_by("pk").select_for_update()
        present = {memory.pk: memory for memory in rows}
        cut = _spans_of(ids)
        for read, prepared in batch:
            memory = present.get(read.pk)
            if memory is None or _said(memory) != _said(read):
                continue
            chunk_ids, spans = cut[memory.pk]
            if anew or spans != prepared.spans:
                entries.enter(memory, prepared)
                entered += 1
            else:
                same += zip(chunk_ids, prepared.span_tokens, strict=True)
        get_engine().index_chunks(same)
        if entered:
            entries.queue_vectors()
    return entered


def _said(memory: Memory) -> tuple[str, str]:
    return memory.title, memory.text_hash


def _spans_of(ids: Sequence[int]) -> dict[int, tuple[list[int], list[Span]]]:
    """Return the ids and spans of the chunks of each record, in order."""
    found: dict[int, tuple[list[int], list[Span]]] = defaultdict(lambda: ([], []))
    rows = Chunk.objects.filter(memory_id__in=ids).order_by("memory_id", "ordinal")
    for chunk in rows.defer("text"):
        chunk_ids, spans = found[chunk.memory_id]
        chunk_ids.append(chunk.pk)
        spans.append(
            Span(
                start=chunk.start,
                end=chunk.end,
                line_start=chunk.line_start,
                line_end=chunk.line_end,
                heading=chunk.heading,
            )
        )
    return found
