"""Records of one space that say the very same: the newest stays, the rest are retired.

Only texts with the same content, word by word, are taken for the same; `ratio` says how
alike they have to be written besides. All of it can be undone.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from django.contrib.auth import get_user_model

from accounts.actors import Actor, actor_on_behalf_of, system_actor
from goclaw.lib.errors import BadInput
from goclaw.lib.plurals import number_of
from memory import access
from memory.lifecycle.deciding import Refused, retire
from memory.lifecycle.grounds import age_of
from memory.lifecycle.rivals import live_in
from memory.lifecycle.sameness import RATIO, claim, likeness
from memory.models import Job, JobKind, Memory, Space
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.scopes import WRITABLE_SCOPES, Scope
from memory.spaces import space_for

LEAST_RATIO = 0.5
SHOWN, SHOWN_CHARS = 200, 200
"""Groups that a dry run lists, and characters of each record."""
BEATS_EVERY = 200


def request(
    *, actor: Actor, scope: str, ratio: float = RATIO, dry_run: bool = False
) -> Job:
    """Queue the job for one space that the actor writes to, its own included.

    Raises BadInput, and Forbidden for runs without a person, and for who may not write.
    """
    if not LEAST_RATIO <= ratio <= 1:
        raise BadInput(f"The ratio goes from {LEAST_RATIO} to 1.", field="ratio")
    if scope not in WRITABLE_SCOPES:
        raise BadInput(
            f"Unknown scope {scope!r}.",
            code="unknown_scope",
            field="scope",
            remedy=f"Use one of {', '.join(WRITABLE_SCOPES)}.",
        )
    if scope != Scope.PERSONAL:
        access.can_administrate(actor).require()
    space = space_for(actor, scope)
    access.can_write(actor, space).require()
    return enqueue(
        JobKind.DEDUPE,
        key=None if dry_run else f"space:{space.pk}",
        payload={"space": space.pk, "ratio": ratio, "dry_run": dry_run},
        started_by=actor,
    )


def run_dedupe_job(run: JobRun) -> JobResult:
    """Retire what is there twice; a repeated run finds what is left."""
    space = Space.objects.filter(pk=run.payload["space"]).first()
    if space is None:
        return JobResult()
    groups = list(_groups(run, space.pk, run.payload["ratio"]))
    extra = sum(len(group) - 1 for group in groups)
    if run.payload["dry_run"]:
        counts = {"groups": len(groups), "duplicates": extra}
        return JobResult(counts, report=_report(groups, extra))
    actor = _actor(run)
    run.counted["groups"] += len(groups)
    for newest, *others in groups:
        for old in others:
            run.counted["retired"] += _retired(old, newest, actor, run)
            run.heartbeat(run.counted["retired"], extra)
        if run.should_stop():
            return JobResult(finished=False)
    return JobResult()


def _retired(old: Memory, newest: Memory, actor: Actor, run: JobRun) -> bool:
    try:
        retire(
            old=old,
            new=newest,
            via="dedupe",
            actor=actor,
            reason="The newer record says the same.",
            run=run.uid,
        )
    except Refused:
        return False
    return True


def _groups(run: JobRun, space_id: int, ratio: float) -> Iterator[list[Memory]]:
    """Yield the records that say the same, the newest first."""
    alike: dict[Hashable, list[Memory]] = defaultdict(list)
    for done, memory in enumerate(live_in(space_id).filter(key="").iterator(), 1):
        parts = (memory.kind, memory.domain, memory.expires_at, memory.sequence_id)
        alike[*parts, memory.title, claim(memory.content)].append(memory)
        if not done % BEATS_EVERY:
            run.heartbeat(0, note=number_of(done, "records read"))
    for found in alike.values():
        newest, *others = sorted(found, key=age_of, reverse=True)
        near = [m for m in others if likeness(m.content, newest.content) >= ratio]
        if near:
            yield [newest, *near]


def _actor(run: JobRun) -> Actor:
    """Return whoever asked for it."""
    if run.started_by_id is None:
        return system_actor()
    return actor_on_behalf_of(get_user_model().objects.get(pk=run.started_by_id))


def _report(groups: list[list[Memory]], extra: int) -> str:
    lines = [f"{extra} records of {len(groups)} groups would be retired."]
    for newest, *others in groups[:SHOWN]:
        lines.append(f"- {_shown(newest)}")
        lines += [f"  stays for: {_shown(old)}" for old in others]
    return "\n".join(lines)


def _shown(memory: Memory) -> str:
    return " ".join(memory.content.split())[:SHOWN_CHARS]
