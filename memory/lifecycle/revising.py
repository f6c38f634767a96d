"""Revise everything stored, oldest first, so that each topic ends with its newest.

First the rules, over all notes at once. Then every note that is left waits for the
judge, and the job asks about them: how far it has come is in the notes themselves.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator

from django.utils import timezone

from accounts.actors import Actor, system_actor
from memory import access
from memory.lifecycle.deciding import Refused, retire
from memory.lifecycle.grounds import against_replacing, against_retiring
from memory.lifecycle.judging import AT_ONCE, ask_about_all
from memory.lifecycle.learning import comparable
from memory.lifecycle.rules import Statement, claims, conflict
from memory.models import Job, JobKind, Memory, MemoryTag, Space
from memory.models.memories import MemoryQuerySet
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.scopes import LEARNED_KINDS, UNVERIFIED, Scope

KEY = "notes"
SHOWN, SHOWN_CHARS = 200, 200
"""Pairs that a dry run lists, and characters of each note."""
BEATS_EVERY = 100

Decide = Callable[[Memory, Memory, str], bool]
"""(old, new, rule): retire the old one; False if that is refused."""


def request(*, actor: Actor, dry_run: bool = False) -> Job:
    """Queue the job (administrators); one that waits is returned.

    A dry run asks no model and changes nothing; it reports what the rules would do.
    """
    access.can_administrate(actor).require()
    if dry_run:
        return enqueue(JobKind.REVISE, payload={"dry_run": True}, started_by=actor)
    return enqueue(JobKind.REVISE, key=KEY, started_by=actor)


def run_revise_job(run: JobRun) -> JobResult:
    """Do the rules' part once, then the judge's until the time is up."""
    if run.payload.get("dry_run"):
        return _report(run)
    if not run.payload.get("ruled"):
        _apply_rules(run)
        run.counted["notes"] += _notes().update(to_judge=True)
        run.payload["ruled"] = True
        run.remember()
    return ask_about_all(run)


def _apply_rules(run: JobRun) -> None:
    """Retire what the rules find replaced, and count it."""
    actor = system_actor()

    def decide(old: Memory, new: Memory, name: str) -> bool:
        try:
            retire(
                old=old,
                new=new,
                via=f"rule:{name}",
                actor=actor,
                reason="The newer record gives another value for the same.",
                run=run.uid,
            )
        except Refused:
            return False
        return True

    for _ in _conflicts(run, decide):
        run.counted["retired_by_rules"] += 1


def _report(run: JobRun) -> JobResult:
    """Return what the rules would do, and how much would be left to the judge."""
    now = timezone.now()
    tags = _tags()

    def decide(old: Memory, new: Memory, name: str) -> bool:
        via = f"rule:{name}"
        ground = against_retiring(
            old, tags[old.pk], via=via, now=now
        ) or against_replacing(old, new, tags[new.pk], via=via, now=now)
        return ground is None

    found = list(_conflicts(run, decide))
    left = _notes().count() - len(found)
    calls = -(-left // AT_ONCE)
    lines = [
        f"- {_shown(old)}\n  is replaced by: {_shown(new)} (rule {name})"
        for old, new, name in found[:SHOWN]
    ]
    report = [
        f"The rules would retire {len(found)} notes. {left} would be left to the judge,"
        f" in {calls} questions at most.",
        *lines,
    ]
    counts = {"retired_by_rules": len(found), "notes": left, "most_model_calls": calls}
    return JobResult(counts, report="\n".join(report))


def _conflicts(run: JobRun, decide: Decide) -> Iterator[tuple[Memory, Memory, str]]:
    """Yield (old, new, rule) of what was decided, oldest first."""
    notes = list(_notes().order_by("observed_at", "created_at", "pk"))
    standing: dict[Hashable, list[Memory]] = defaultdict(list)
    for done, new in enumerate(notes, 1):
        for name, claim in claims(new.content):
            author = new.created_by_id if claim.is_unnamed else None
            key = (name, claim.topic, claim.subject, author)
            still = []
            for old in standing[key]:
                if _replaces(old, new) == name and decide(old, new, name):
                    yield old, new, name
                else:
                    still.append(old)
            standing[key] = [*still, new]
        if not done % BEATS_EVERY:
            run.heartbeat(done, len(notes), note="rules")


def _replaces(old: Memory, new: Memory) -> str | None:
    if not comparable(old, new):
        return None
    return conflict(
        Statement(old.content, old.created_by_id),
        Statement(new.content, new.created_by_id),
    )


def _notes() -> MemoryQuerySet:
    """Return the live notes of which one may replace another."""
    space = Space.objects.get(kind=Scope.AGENT_NOTES, path="")
    notes = Memory.objects.live().current().filter(space=space, source_key="")
    unsure = MemoryTag.objects.filter(name=UNVERIFIED)
    return notes.filter(kind__in=LEARNED_KINDS).exclude(
        pk__in=unsure.values("memory_id")
    )


def _tags() -> dict[int, frozenset[str]]:
    """Return the tags of every note, none for those without."""
    found: dict[int, frozenset[str]] = defaultdict(frozenset)
    rows = MemoryTag.objects.filter(memory__in=_notes())
    for pk, name in rows.values_list("memory_id", "name"):
        found[pk] |= {name}
    return found


def _shown(memory: Memory) -> str:
    return " ".join(memory.content.split())[:SHOWN_CHARS]
