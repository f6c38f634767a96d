"""The job that imports a zip: as the person who sent it, in turns, to the end.

Payload: the zip (`file`, `size`, `under`), as whom (`run`, `conversation`, `api_key`),
how far it has come (`done`, `owners`), what to report (`lines`, `unlisted`), whether
everything `ended`. It is written between turns, together with the counts; whoever goes
on after a crash finds what was done since then `unchanged`.
"""

from collections import Counter
from typing import IO, Any

from accounts.actors import Actor, actor_once_more
from memory.models import Job, JobKind
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from wiki import slugs, storing
from wiki.archives import Archive
from wiki.importing.contents import contents_of
from wiki.importing.uploads import Kept, keep, opened
from wiki.importing.walking import Entry, Position, Walk

REPORTED = 1000
"""Entries that are named in the report; all are counted."""


def begin(*, actor: Actor, file: IO[bytes], size: int, under: str = "") -> Job:
    """Keep a zip of `size` bytes, and return the job that imports it.

    Raises BadInput or TooLarge for the zip as a whole; what becomes of its entries is
    the job's to say.
    """
    section = slugs.parse(under) if under else ""
    contents_of(Archive(file, size), section)
    return begin_kept(actor=actor, kept=keep(file, under=section))


def begin_kept(*, actor: Actor, kept: Kept) -> Job:
    """Return the job that imports a zip that is kept already; always the same one."""
    known = Job.objects.filter(kind=JobKind.IMPORT_PAGES, key=kept.key).first()
    if known is not None:
        return known
    opened(kept).close()
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
            "done": 0,
            "owners": {},
            "lines": [],
            "unlisted": 0,
            "ended": False,
        },
        started_by=actor,
    )


def run_import_job(run: JobRun) -> JobResult:
    """Import for a while. The bytes go in a turn of their own, after all is noted."""
    place = run.payload
    if place["ended"]:
        storing.discard(place["file"])
        return JobResult()
    actor = actor_once_more(
        run.started_by_id,
        run=place["run"],
        conversation=place["conversation"],
        key_id=place["api_key"],
    )
    kept = Kept(key=place["file"], size=place["size"], under=place["under"])
    with opened(kept) as file:
        walk = Walk(actor, Archive(file, kept.size), kept.under)
        counts = _go_on(walk, place, run)
    return JobResult(counts, finished=False, report=_report(place))


def _go_on(walk: Walk, place: dict[str, Any], run: JobRun) -> Counter[str]:
    position = Position(done=place["done"], owners=place["owners"])
    counts = Counter[str]()
    place["ended"] = True
    for entry in walk.run(position, dry_run=False):
        counts[entry.result] += 1
        _note(entry, place)
        run.heartbeat(position.done, walk.total, note=entry.path)
        if run.should_stop():
            place["ended"] = False
            break
    place["done"] = position.done
    return counts


def _note(entry: Entry, place: dict[str, Any]) -> None:
    if not entry.reason:
        return
    if len(place["lines"]) < REPORTED:
        place["lines"].append(f"{entry.result}: {entry.path}: {entry.reason}")
    else:
        place["unlisted"] += 1


def _report(place: dict[str, Any]) -> str:
    more = [f"and {place['unlisted']} more"] if place["unlisted"] else []
    return "\n".join([*place["lines"], *more])
