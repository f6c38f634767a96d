"""`memory_consolidate`: key facts of old notes go into `Memory.md`, the notes away.

In this order: a model finds the facts; they are noted in the job; `Memory.md` is
written aside, read back and put in place; only then records go to the bin and files
into `memory/archived/`. Whoever goes on after a crash does again what was noted, which
changes nothing that was done already.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.config import model_config, upkeep_config
from goclaw.lib.files import alone_in, free_path
from memory import access, entries, llm, memory_file
from memory.drafts import text_hash
from memory.lifecycle.curating import batches, is_too_long, key_facts, with_facts
from memory.lifecycle.old_notes import (
    TAKEN_INTO,
    DailyFile,
    OldNote,
    as_notes,
    old_files,
    old_records,
)
from memory.models import Agent, Job, JobKind, Memory
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.workspace import Unreadable, get_agent, read_text, sync
from memory.workspace_files import root_of

log = logging.getLogger(__name__)

ARCHIVED = "archived"
MOST_SHOWN = 200
"""Records and files that a dry run lists."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be taken: the first records and files, and how many there are."""

    agent: Agent
    days: int
    records: Sequence[Memory]
    record_count: int
    files: Sequence[DailyFile]
    file_count: int


def preview(*, actor: Actor, agent: Agent, days: int | None) -> Preview:
    """Return what a run would take; changes nothing. Raises Forbidden."""
    access.can_consolidate(actor).require()
    days = upkeep_config().consolidate_after_days if days is None else days
    records, files = old_records(agent, days=days), old_files(agent, days=days)
    return Preview(
        agent=agent,
        days=days,
        records=list(records[:MOST_SHOWN]),
        record_count=records.count(),
        files=files[:MOST_SHOWN],
        file_count=len(files),
    )


def request(*, actor: Actor, agent: Agent, days: int | None) -> Job:
    """Queue a run; one of the agent that waits is returned instead.

    Raises Forbidden, and llm.ModelNotConfigured.
    """
    access.can_consolidate(actor).require()
    llm.get_model()
    days = upkeep_config().consolidate_after_days if days is None else days
    payload = {"agent": agent.slug, "days": days}
    return enqueue(JobKind.CURATE, key=agent.slug, payload=payload, started_by=actor)


def run_curate_job(run: JobRun) -> JobResult:
    """Put away what is old enough, a portion of it at a time.

    Raises ModelNotConfigured or ModelFailed.
    """
    agent = get_agent(run.payload["agent"])
    place = run.payload
    return curate(agent, llm.get_model(), run, place=place, days=place["days"])


def curate(
    agent: Agent,
    model: llm.Model,
    run: JobRun,
    *,
    place: dict[str, Any],
    days: int,
    records: bool = True,
) -> JobResult:
    """Do it for one agent, without `records` for its daily notes only.

    `place` is the part of the run's payload that says what was looked at already.
    """
    counts = Counter[str]()
    if place.get("plan"):
        _carry_out(agent, place, run, counts)
    seen = place.setdefault("seen", [])
    rows = old_records(agent, days=days).exclude(uid__in=_uids(seen))
    notes = as_notes(
        list(rows) if records else [],
        [file for file in old_files(agent, days=days) if file.path not in seen],
    )
    room = model_config().max_input_chars
    wanted = [note for note in notes if not is_too_long(note, max_chars=room)]
    for portion in batches(wanted, max_chars=room):
        found = key_facts(model, portion, max_chars=room)
        taken = found.taken(portion)
        counts["rejected"] += found.rejected
        counts["left"] += len(portion) - len(taken)
        seen += [note.ref for note in portion]
        place["plan"] = _plan([text for text, _ in found.facts], taken)
        run.remember()
        _carry_out(agent, place, run, counts)
        run.heartbeat(len(seen), len(seen) + len(wanted))
        if run.should_stop():
            return JobResult(dict(counts), finished=False)
    total = Counter(run.counted) + counts
    return JobResult(dict(counts), report=_report(agent, total))


def _plan(facts: Sequence[str], taken: Sequence[OldNote]) -> dict[str, Any]:
    """Return what is to be done, as the job keeps it."""
    return {
        "day": timezone.localdate().isoformat(),
        "facts": list(facts),
        "records": {note.ref: note.state for note in taken if not note.is_file},
        "files": {note.ref: note.state for note in taken if note.is_file},
    }


def _carry_out(
    agent: Agent, place: dict[str, Any], run: JobRun, counts: Counter[str]
) -> None:
    """Write the file first, then put the notes away; doing it again changes nothing."""
    plan = place["plan"]
    if plan["facts"]:
        day = date.fromisoformat(plan["day"])
        memory_file.rewrite(
            agent=agent, change=lambda text: with_facts(text, plan["facts"], day=day)
        )
        counts["facts"] += len(plan["facts"])
    counts["records"] += _forget(plan["records"], run)
    counts["files"] += _move(agent, plan["files"])
    place["plan"] = None
    run.remember()


def _forget(versions: Mapping[str, str], run: JobRun) -> int:
    """Put records into the bin, from which they can be restored for 30 days.

    One that was changed since it was read stays.
    """
    now = timezone.now()
    count = 0
    with transaction.atomic():
        rows = Memory.objects.live(now).current().select_for_update()
        for record in rows.filter(uid__in=list(versions)):
            if str(record.version) != versions[str(record.uid)]:
                continue
            record.forgotten_at = now
            record.metadata |= {TAKEN_INTO: "Memory.md", "taken_by": run.uid}
            record.save(update_fields=["forgotten_at", "metadata"])
            entries.leave([record.pk])
            count += 1
    return count


def _move(agent: Agent, hashes: Mapping[str, str]) -> int:
    """Move files into `memory/archived/`; one that was changed since stays."""
    if not hashes:
        return 0
    root = root_of(agent)
    archived = root / "memory" / ARCHIVED
    archived.mkdir(mode=0o700, parents=True, exist_ok=True)
    count = 0
    with alone_in(root / "memory"):
        for path, known in hashes.items():
            place = root / path
            if _hash_of(place) == known:
                place.rename(free_path(archived / place.name))
                count += 1
    sync(agent)
    return count


def _hash_of(place: Path) -> str:
    try:
        return text_hash(read_text(place))
    except Unreadable:
        return ""


def _uids(refs: Sequence[str]) -> list[str]:
    return [ref for ref in refs if not ref.endswith(".md")]


def _report(agent: Agent, counts: Counter[str]) -> str:
    return (
        f"{agent.slug}: {counts['facts']} facts of {counts['records']} records and"
        f" {counts['files']} files are in Memory.md; {counts['left']} stay where they"
        f" are, since nothing or not all of them was taken."
    )
