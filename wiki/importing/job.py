"""The job that imports a zip: as the person who sent it, in turns, to the end.

Payload: the zip (`file`, `size`, `under`), as whom (`run`, `conversation`, `api_key`),
whether it is a `dry_run`, how far it has come (`done`, `owners`), what to report
(`lines`, `fine`, `unlisted`), whether everything `ended`. It is written between turns,
together with the counts; whoever goes on after a crash finds what was done since then
`unchanged`.
"""

from collections import Counter
from typing import IO, Any
from uuid import UUID

from accounts.actors import Actor, actor_once_more
from memory.models import Job, JobKind, JobState
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from wiki import slugs, storing
from wiki.archives import Archive
from wiki.importing.contents import contents_of
from wiki.importing.uploads import Kept, gone, keep, opened
from wiki.importing.walking import Entry, Position, Walk

REPORTED = 1000
"""Entries that are named in the report; all are counted."""
WRITES = ("created", "updated")
"""Results of entries that an import writes."""


def begin(
    *, actor: Actor, file: IO[bytes], size: int, under: str = "", dry_run: bool
) -> Job:
    """Keep a zip of `size` bytes, and return the job that imports it, or tries it.

    Raises BadInput or TooLarge for the zip as a whole; what becomes of its entries is
    the job's to say.
    """
    section = slugs.parse(under) if under else ""
    contents_of(Archive(file, size), section)
    return _queued(actor, keep(file, under=section), dry_run=dry_run)


def begin_tried(*, actor: Actor, trial: UUID) -> Job:
    """Return the job that imports what one of the actor's has tried; always the same.

    Raises BadInput when there is no such job, or its zip is not kept any longer.
    """
    jobs = Job.objects.filter(kind=JobKind.IMPORT_PAGES, started_by_id=actor.user_id)
    tried = jobs.filter(uid=trial, state=JobState.DONE, payload__dry_run=True).first()
    if tried is None:
        raise gone()
    if known := jobs.filter(key=tried.key).exclude(pk=tried.pk).first():
        return known
    kept = _kept(tried.payload)
    opened(kept).close()
    return _queued(actor, kept, dry_run=False)


def _queued(actor: Actor, kept: Kept, *, dry_run: bool) -> Job:
    return enqueue(
        JobKind.IMPORT_PAGES,
        key=kept.key,
        payload={
            "file": kept.key,
            "size": kept.size,
            "under": kept.under,
            "run": actor.run.value,
            "conversation": actor.conversation.value,
            "api_key": actor.key_id,
            "dry_run": dry_run,
            "done": 0,
            "owners": {},
            "lines": [],
            "fine": [],
            "unlisted": 0,
            "ended": False,
        },
        started_by=actor,
    )


def run_import_job(run: JobRun) -> JobResult:
    """Import for a while. The bytes go in a turn of their own, after all is noted."""
    place = run.payload
    if place["ended"]:
        if not (place["dry_run"] and any(run.counted.get(name) for name in WRITES)):
            storing.discard(place["file"])
        return JobResult()
    actor = actor_once_more(
        run.started_by_id,
        run=place["run"],
        conversation=place["conversation"],
        key_id=place["api_key"],
    )
    kept = _kept(place)
    with opened(kept) as file:
        walk = Walk(actor, Archive(file, kept.size), kept.under)
        counts = _go_on(walk, place, run)
    return JobResult(counts, finished=False, report=_report(place))


def _go_on(walk: Walk, place: dict[str, Any], run: JobRun) -> Counter[str]:
    position = Position(done=place["done"], owners=place["owners"])
    counts = Counter[str]()
    place["ended"] = True
    for entry in walk.run(position, dry_run=place["dry_run"]):
        counts[entry.result] += 1
        _note(entry, place)
        run.heartbeat(position.done, walk.total, note=entry.path)
        if run.should_stop():
            place["ended"] = False
            break
    place["done"] = position.done
    return counts


def _note(entry: Entry, place: dict[str, Any]) -> None:
    """Note what to report: whatever goes wrong, and of a trial also what does not."""
    if not entry.reason and not place["dry_run"]:
        return
    noted = place["lines" if entry.reason else "fine"]
    if len(noted) < REPORTED:
        page = f" -> {entry.slug}" if entry.slug else ""
        why = f": {entry.reason}" if entry.reason else ""
        noted.append(f"{entry.result}: {entry.path}{page}{why}")
    else:
        place["unlisted"] += 1


def _report(place: dict[str, Any]) -> str:
    more = [f"and {place['unlisted']} more"] if place["unlisted"] else []
    return "\n".join([*place["lines"], *place["fine"], *more])


def _kept(place: dict[str, Any]) -> Kept:
    return Kept(key=place["file"], size=place["size"], under=place["under"])
