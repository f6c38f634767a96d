"""Every night: live notes that say the same become one, which keeps all they say.

`Memory.compared_at` says of each record that others were looked for; only groups with a
new one are shown to the model, so that a night costs what a day has brought, and a job
that was killed goes on where it was.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from accounts.actors import Actor, system_actor
from goclaw.lib.config import model_config
from memory import access, llm
from memory.drafts import Draft
from memory.lifecycle import deciding
from memory.lifecycle.clustering import Note, groups
from memory.lifecycle.grounds import CHANGED
from memory.lifecycle.merging import Proposal, Proposed, batches, propose
from memory.lifecycle.vetoes import pair_of
from memory.models import Embedding, Job, JobKind, Memory, MemoryTag, Space, Veto
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.scopes import (
    CRITICAL,
    LEARNED_KINDS,
    RESERVED_TAGS,
    UNVERIFIED,
    IndexState,
    Scope,
)
from memory.vectors import serving_model_row

log = logging.getLogger(__name__)

AT_ONCE = 500
"""Rows of one statement."""
MOST_SHOWN, SHOWN_CHARS = 100, 200
"""Groups that a dry run lists, and characters of each record."""

Vector = NDArray[np.float32]


def request(*, actor: Actor, dry_run: bool = False) -> Job:
    """Queue the nightly job now (administrators); one that waits is returned.

    A dry run asks no model: it reports the groups that would be asked about.
    """
    access.can_administrate(actor).require()
    if dry_run:
        payload = {"dry_run": True}
        return enqueue(JobKind.CONSOLIDATE, payload=payload, started_by=actor)
    return enqueue(JobKind.CONSOLIDATE, key="scheduled", started_by=actor)


def run_consolidate_job(run: JobRun) -> JobResult:
    """Merge what says the same, a question to the model at a time."""
    counts = run.counted
    passed = set(run.payload.get("passed", ()))
    seeds = frozenset(_new().values_list("pk", flat=True)) - passed
    total = run.payload.setdefault("total", len(seeds))
    found = groups(_notes(), seeds=seeds, apart=_apart())
    if run.payload.get("dry_run"):
        return JobResult({"groups": len(found)}, report=_listed(found))
    try:
        model = llm.get_model()
    except llm.ModelNotConfigured:
        return _waiting(len(found))
    _mark(seeds.difference(note.pk for group in found for note in group))
    for batch in batches(found, max_chars=model_config().max_input_chars):
        members = frozenset(note.pk for group in batch for note in group)
        proposed = propose(model, batch)
        counts["groups"] += len(batch)
        counts["model_calls"] += 1
        counts["rejected"] += proposed.rejected
        if proposed.valid:
            _apply(proposed, members, model, run, counts)
        else:
            passed |= members
            run.payload["passed"] = sorted(passed)
        run.heartbeat(total - _new().exclude(pk__in=passed).count(), total)
        if run.should_stop():
            return JobResult(finished=False)
    return _finished(counts)


def _apply(
    proposed: Proposed,
    members: frozenset[int],
    model: llm.Model,
    run: JobRun,
    counts: Counter[str],
) -> None:
    """Merge what was proposed, and note that the members have been compared.

    Each merge is one transaction; a refused one leaves its records as they are.
    """
    for proposal in proposed.proposals:
        try:
            merged = _merge(proposal, model, run)
        except deciding.Refused as refused:
            log.info("a merge was refused: %s", refused.code)
            counts["rejected"] += 1
            continue
        _mark([merged.pk])
        counts["merged"] += 1
        counts["retired"] += len(proposal.notes)
    _mark(members)


def _merge(proposal: Proposal, model: llm.Model, run: JobRun) -> Memory:
    rows = Memory.objects.in_bulk([note.pk for note in proposal.notes])
    sources = [rows[note.pk] for note in proposal.notes if note.pk in rows]
    seen = [source.content for source in sources]
    if seen != [note.text for note in proposal.notes]:
        raise deciding.Refused.on(CHANGED)
    return deciding.merge(
        sources=sources,
        draft=_draft(sources, proposal.text),
        actor=system_actor(),
        reason=f"{len(sources)} records said the same.",
        run=run.uid,
        model=model.name,
        words=proposal.text,
    )


def _draft(sources: Sequence[Memory], text: str) -> Draft:
    """Return the merged record: as important as any of its sources, with their tags."""
    tags = MemoryTag.objects.filter(memory__in=sources).exclude(name__in=RESERVED_TAGS)
    return Draft(
        scope=Scope.AGENT_NOTES,
        content=text,
        kind=sources[0].kind,
        domain=next((source.domain for source in sources if source.domain), ""),
        importance=max(source.importance for source in sources),
        tags=sorted(set(tags.values_list("name", flat=True))),
    )


def _listed(found: Sequence[list[Note]]) -> str:
    """Return the first groups for people to read."""
    parts = [
        "\n".join(f"- {' '.join(note.text.split())[:SHOWN_CHARS]}" for note in group)
        for group in found[:MOST_SHOWN]
    ]
    return "\n\n".join([f"{len(found)} groups may say the same.", *parts])


def _waiting(found: int) -> JobResult:
    """Return that the groups wait for a model; nothing is marked, so none is lost."""
    if not found:
        return JobResult({"groups": 0})
    log.warning("%d groups of records wait for a background model", found)
    return JobResult(
        {"waiting": found, "warnings": 1},
        report=f"{found} groups of records may say the same and wait for a model.",
    )


def _finished(counts: Counter[str]) -> JobResult:
    """Return the result; candidates of which none was merged are worth a warning."""
    report = (
        f"Of {counts['groups']} groups that may say the same {counts['merged']} records"
        f" were made, in place of {counts['retired']}; {counts['rejected']} answers"
        f" were held back."
    )
    if counts["groups"] and not counts["merged"]:
        log.warning("nothing was merged of %d groups", counts["groups"])
        counts["warnings"] += 1
    return JobResult(report=report)


def _candidates() -> QuerySet[Memory]:
    """Return the notes that a machine may merge at all."""
    space = Space.objects.get(kind=Scope.AGENT_NOTES, path="")
    set_apart = MemoryTag.objects.filter(name__in=[CRITICAL, UNVERIFIED])
    notes = Memory.objects.live().current().filter(space=space, key="", source_key="")
    return notes.filter(kind__in=LEARNED_KINDS).exclude(
        pk__in=set_apart.values("memory_id")
    )


def _new() -> QuerySet[Memory]:
    """Return those for which others were not looked for yet.

    One whose vector is still to come has to wait for it, as long as there is a model.
    """
    notes = _candidates().filter(compared_at__isnull=True)
    if serving_model_row() is not None:
        notes = notes.exclude(index_state=IndexState.PENDING)
    return notes


def _notes() -> list[Note]:
    """Return all candidates with their vectors, oldest first."""
    vectors = _vectors()
    rows = _candidates().order_by("observed_at", "pk")
    fields = rows.values_list("pk", "kind", "domain", "content")
    return [
        Note(pk, kind, domain, content, vectors.get(pk))
        for pk, kind, domain, content in fields.iterator()
    ]


def _vectors() -> dict[int, Vector]:
    """Return a vector of length 1 of each candidate: the mean of its windows'."""
    model = serving_model_row()
    if model is None:
        return {}
    space = Space.objects.get(kind=Scope.AGENT_NOTES, path="")
    rows = Embedding.objects.filter(space_id=space.pk, model=model)
    sums: dict[int, Vector] = {}
    for pk, vector in rows.values_list("chunk__memory_id", "vector").iterator():
        sums[pk] = sums[pk] + vector if pk in sums else vector
    return {pk: vector / (np.linalg.norm(vector) or 1) for pk, vector in sums.items()}


def _apart() -> Callable[[Note, Note], bool]:
    """Return whether a person set two notes apart."""
    space = Space.objects.get(kind=Scope.AGENT_NOTES, path="")
    pairs = frozenset(Veto.objects.filter(space=space).values_list("pair", flat=True))
    if not pairs:
        return lambda one, other: False
    return lambda one, other: pair_of(one.text, other.text) in pairs


def _mark(pks: Iterable[int]) -> None:
    """Note that others were looked for, some records at a time."""
    ids = sorted(pks)
    for start in range(0, len(ids), AT_ONCE):
        rows = Memory.objects.filter(pk__in=ids[start : start + AT_ONCE])
        rows.update(compared_at=timezone.now())
