"""The judge: a model says which older records a new one fully replaces.

New records wait with `to_judge` until a job has asked about them, several at a time.
Unsure means keep, and so does an answer that makes no sense.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.utils import timezone

from accounts.actors import system_actor
from goclaw.lib.config import model_config
from memory import llm
from memory.lifecycle.deciding import Refused, retire
from memory.lifecycle.doubts import doubt
from memory.lifecycle.grounds import (
    against_replacing,
    against_retiring,
    age_of,
    is_live,
)
from memory.lifecycle.learning import comparable
from memory.lifecycle.particulars import content_words
from memory.lifecycle.rivals import SHARED, find_rivals, shared
from memory.llm.base import fence
from memory.llm.portions import portions
from memory.llm.prompts import text_of
from memory.llm.prompts.judge import JudgeReply
from memory.models import Job, JobKind, JobState, Memory
from memory.runner import JobResult, JobRun
from memory.scopes import UNVERIFIED, Scope

log = logging.getLogger(__name__)

AT_ONCE = 8
"""New records of one question."""
MOST_RIVALS = 3
"""Older records that one new record is held against."""
MAX_CHARS = 600
"""Of a record in a question; who cannot see the end is unsure."""


@dataclass(frozen=True, slots=True)
class Case:
    """A new record, and the older ones that it may replace."""

    new: Memory
    older: Sequence[Memory]


def run_judge_job(run: JobRun) -> JobResult:
    """Ask about all that waits, oldest first, until the time is up."""
    revising = Job.objects.filter(kind=JobKind.REVISE).exclude(key="")
    if revising.in_state(JobState.QUEUED, JobState.RUNNING).exists():
        return JobResult()  # it asks about these as well, in its own name
    return ask_about_all(run)


def ask_about_all(run: JobRun) -> JobResult:
    """Ask about the records that wait; without a model they go on waiting.

    How far it has come is in the records themselves, so it may be killed at any time.
    """
    waiting = Memory.objects.filter(to_judge=True)
    try:
        model = llm.get_model()
    except llm.ModelNotConfigured:
        return JobResult({"waiting": waiting.count()})
    total = run.payload.setdefault("total", waiting.count())
    oldest_first = waiting.order_by("observed_at", "created_at", "pk")
    while batch := list(oldest_first.prefetch_related("tags")[:AT_ONCE]):
        judge(batch, model=model, run=run.uid, counts=run.counted)
        left = waiting.count()
        run.heartbeat(max(total - left, 0), max(total, left), note="asking the model")
        if run.should_stop():
            return JobResult(finished=False)
    return JobResult()


def judge(
    memories: Iterable[Memory], *, model: llm.Model, run: str, counts: Counter[str]
) -> None:
    """Ask about some records in as few questions as the model takes in.

    Raises llm.ModelFailed for what may pass; what was not asked about goes on waiting.
    """
    cases = []
    for memory in memories:
        counts["records"] += 1
        case = case_of(memory)
        if case.older:
            cases.append(case)
        else:
            _done(memory)
    room = model_config().max_input_chars
    for part in portions(cases, _cost, max_chars=room, most=AT_ONCE):
        _judge_cases(part, model, run, counts)


def case_of(new: Memory) -> Case:
    """Return the record with its likeliest rivals, none where it may replace none."""
    now = timezone.now()
    words = content_words(new.content)
    tags = frozenset(new.tag_names())
    judged = new.scope == Scope.AGENT_NOTES and UNVERIFIED not in tags
    if not judged or not is_live(new, now):
        return Case(new, ())
    shares = {
        old: shared(words, old.content)
        for old in find_rivals(new.space_id, new.content, author=new.created_by_id)
        if comparable(new, old) and age_of(old) < age_of(new)
    }
    likest = sorted(shares, key=lambda old: (-shares[old], -old.pk))
    fitting = (
        old
        for old in likest
        if shares[old] >= SHARED and _may_replace(old, new, tags, now)
    )
    return Case(new, list(islice(fitting, MOST_RIVALS)))


def _may_replace(
    old: Memory, new: Memory, new_tags: frozenset[str], now: datetime
) -> bool:
    """Say whether asking is worth it: whether the answer could be followed."""
    old_tags = frozenset(old.tag_names())
    return (
        doubt(old.content, new.content) is None
        and against_retiring(old, old_tags, via="judge", now=now) is None
        and against_replacing(old, new, new_tags, via="judge", now=now) is None
    )


def _judge_cases(
    cases: Sequence[Case], model: llm.Model, run: str, counts: Counter[str]
) -> None:
    """Ask about some cases, and do what is answered."""
    try:
        reply = model.complete(
            system=text_of("judge"), prompt=to_prompt(cases), schema=JudgeReply
        )
    except llm.ModelFailed as error:
        if not error.permanent:
            raise
        if len(cases) > 1:
            for case in cases:
                _judge_cases([case], model, run, counts)
            return
        log.warning("a record is left as it is: %s", error)
        reply = JudgeReply(notes=[])
        counts["invalid"] += 1
    counts["model_calls"] += 1
    verdicts = _verdicts(reply)
    for number, case, old in _numbered(cases):
        reason = verdicts.get(number)
        counts["pairs"] += 1
        if reason is None:
            continue
        try:
            retire(
                old=old,
                new=case.new,
                via="judge",
                actor=system_actor(),
                reason="The newer record replaces it, says the background model.",
                run=run,
                model=model.name,
                words=reason,
            )
            counts["retired"] += 1
        except Refused as refused:
            log.info("a verdict was not followed: %s", refused.code)
    for case in cases:
        _done(case.new)


def to_prompt(cases: Sequence[Case]) -> str:
    """Return the question: cases with their notes, older ones numbered throughout."""
    parts: list[str] = []
    for number, case, old in _numbered(cases):
        if old is case.older[0]:
            parts.append(f"\nNewer note: {_shown(case.new)}")
        parts.append(f"Older note [{number}]: {_shown(old)}")
    return fence("cases", "\n".join(parts).strip())


def _numbered(cases: Sequence[Case]) -> Iterator[tuple[int, Case, Memory]]:
    number = 0
    for case in cases:
        for old in case.older:
            number += 1
            yield number, case, old


def _shown(memory: Memory) -> str:
    text = " ".join(memory.content.split())
    dated = f"({memory.observed_at:%Y-%m-%d}) {text}"
    return dated if len(dated) <= MAX_CHARS else dated[:MAX_CHARS] + " [...]"


def _verdicts(reply: JudgeReply) -> dict[int, str]:
    """Return the reasons of the notes that are replaced; who contradicts itself, isn't.

    Numbers that were not asked about find no note.
    """
    found: dict[int, str] = {}
    kept = {note.note for note in reply.notes if note.verdict != "replaced"}
    for note in reply.notes:
        if note.verdict == "replaced" and note.note not in kept:
            found.setdefault(note.note, note.reason.replace("\0", ""))
    return found


def _cost(case: Case) -> int:
    return sum(len(_shown(memory)) + 30 for memory in (case.new, *case.older))


def _done(memory: Memory) -> None:
    """Note that a record was judged, unless it was changed since."""
    rows = Memory.objects.filter(pk=memory.pk, text_hash=memory.text_hash)
    rows.update(to_judge=False)
