"""Take a catalogue in: what is there stays once, what differs is updated."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Conflict, GoClawError
from memory import access, changes, records
from memory.drafts import Draft, dedup_hash
from memory.models import Memory, Space
from memory.portability.exporting import SCOPES
from memory.scopes import Origin
from memory.spaces import space_for

AT_ONCE = 50
SHOWN = 100
"""Refusals that a report names."""

_COMPARED = (
    "content",
    "kind",
    "domain",
    "title",
    "importance",
    "metadata",
    "observed_at",
    "expires_at",
)


class Fate(StrEnum):
    """What becomes of a line."""

    CREATED = "created"
    UPDATED = "updated"
    SKIPPED = "skipped"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a catalogue: a record, or why there is none."""

    line: int
    draft: Draft | None = None
    error: GoClawError | None = None


@dataclass(slots=True)
class Report:
    """What became of the lines, and of those that were refused the first."""

    counts: Counter[str] = field(
        default_factory=lambda: Counter({fate.value: 0 for fate in Fate})
    )
    refused: list[Item] = field(default_factory=list)

    def note(self, fate: Fate, item: Item, error: GoClawError | None = None) -> None:
        """Count a line."""
        self.counts[fate] += 1
        if fate is Fate.REFUSED and len(self.refused) < SHOWN:
            self.refused.append(replace(item, error=error or item.error))


def import_catalogue(
    *, actor: Actor, items: Iterable[Item], dry_run: bool = False
) -> Report:
    """Create and update records; each line answers for itself.

    A record is known by its id, a keyed fact by its key, and whatever says the same in
    the same place is there already. Raises Forbidden for who does not administrate.
    """
    access.can_administrate(actor).require()
    spaces = {scope: space_for(actor, scope) for scope in SCOPES}
    report = Report()
    for batch in _batches(items):
        _import(actor, batch, spaces, report, dry_run=dry_run)
    if not dry_run:
        audit.record("memory.import", actor=actor, details=dict(report.counts))
    return report


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while batch := list(islice(remaining, AT_ONCE)):
        yield batch


def _import(
    actor: Actor,
    batch: Sequence[Item],
    spaces: dict[Any, Space],
    report: Report,
    *,
    dry_run: bool,
) -> None:
    drafts = [item.draft for item in batch if item.draft and item.draft.scope in spaces]
    known = _Known(drafts, spaces)
    new: list[tuple[Item, Draft, Fate]] = []
    for item in batch:
        try:
            fate, draft, memory = _judge(item, known, spaces)
            if fate is Fate.UPDATED and memory is not None and not dry_run:
                changes.edit(
                    actor=actor, uid=memory.uid, changes=_changes(memory, draft)
                )
        except GoClawError as error:
            report.note(Fate.REFUSED, item, error)
            continue
        if memory is None and fate is not Fate.SKIPPED:
            known.add(draft, spaces[draft.scope])
            new.append((item, draft, fate))
        else:
            report.note(fate, item)
    _write(actor, new, report, dry_run=dry_run)


def _write(
    actor: Actor,
    new: Sequence[tuple[Item, Draft, Fate]],
    report: Report,
    *,
    dry_run: bool,
) -> None:
    drafts = [draft for _, draft, _ in new]
    written: Sequence[Any] = drafts
    if not dry_run:
        written = records.write_many(actor=actor, drafts=drafts, origin=Origin.IMPORT)
    for (item, _, fate), outcome in zip(new, written, strict=True):
        if isinstance(outcome, GoClawError):
            report.note(Fate.REFUSED, item, outcome)
        else:
            report.note(fate, item)


class _Known:
    """What is there of the records of a batch, asked for at once."""

    def __init__(self, drafts: Sequence[Draft], spaces: dict[Any, Space]) -> None:
        uids = [draft.uid for draft in drafts if draft.uid]
        rows = Memory.objects.filter(uid__in=uids).prefetch_related("tags")
        self.by_uid: dict[UUID, Memory] = {memory.uid: memory for memory in rows}
        hashes = {h for draft in drafts for h in _hashes(draft, spaces[draft.scope])}
        live = Memory.objects.live().current().filter(dedup_hash__in=hashes)
        self._hashes = set(live.values_list("dedup_hash", flat=True))
        self._keys = self._live_keys(drafts, spaces)

    def _live_keys(
        self, drafts: Sequence[Draft], spaces: dict[Any, Space]
    ) -> set[tuple[int, str, str]]:
        keyed = Q(pk__in=[])
        for draft in drafts:
            if draft.key:
                place = {"space": spaces[draft.scope], "domain": draft.domain}
                keyed |= Q(key=draft.key, **place)
        found = Memory.objects.live().current().filter(keyed)
        return set(found.values_list("space_id", "domain", "key"))

    def says(self, draft: Draft, space: Space) -> bool:
        """Say whether a live record says the same in the same place."""
        return not self._hashes.isdisjoint(_hashes(draft, space))

    def has_key(self, draft: Draft, space: Space) -> bool:
        """Say whether there is a live fact of the draft's key."""
        return (space.pk, draft.domain, draft.key) in self._keys

    def add(self, draft: Draft, space: Space) -> None:
        """Note what a line of the batch will make."""
        self._hashes.update(_hashes(draft, space))
        if draft.key:
            self._keys.add((space.pk, draft.domain, draft.key))


def _judge(
    item: Item, known: _Known, spaces: dict[Any, Space]
) -> tuple[Fate, Draft, Memory | None]:
    """Return what becomes of a line, its draft, and the record that it changes."""
    if item.error is not None:
        raise item.error
    draft = item.draft
    if draft is None or draft.scope not in spaces:
        raise BadInput(
            "Only agent_notes and agent_config are in a catalogue.",
            code="unknown_scope",
            field="scope",
            remedy="Write other records one by one.",
        )
    space = spaces[draft.scope]
    if draft.expires_at is not None and draft.expires_at <= timezone.now():
        return Fate.SKIPPED, draft, None
    memory = known.by_uid.get(draft.uid) if draft.uid else None
    if memory is None:
        draft = records.with_content(draft)
        if known.says(draft, space):
            return Fate.SKIPPED, draft, None
        fate = Fate.UPDATED if known.has_key(draft, space) else Fate.CREATED
        return fate, draft, None
    if memory.space_id != space.pk or memory.key != draft.key:
        raise Conflict(
            "Another record has this id.",
            code="id_taken",
            field="id",
            remedy="Leave the id out to have it imported as a new record.",
        )
    if memory.is_forgotten or memory.is_superseded:
        return Fate.SKIPPED, draft, memory  # decided here, after the export
    if memory.value != draft.value:
        return Fate.UPDATED, replace(draft, uid=None), None  # the fact is set again
    fate = Fate.UPDATED if _changes(memory, draft) else Fate.SKIPPED
    return fate, draft, memory


def _changes(memory: Memory, draft: Draft) -> dict[str, Any]:
    """Return what a line says otherwise than the record."""
    changed = {
        name: getattr(draft, name)
        for name in _COMPARED
        if getattr(draft, name) != getattr(memory, name)
    }
    if changed.get("observed_at", ...) is None:
        del changed["observed_at"]
    if sorted(set(draft.tags)) != memory.tag_names():
        changed["tags"] = list(draft.tags)
    return changed


def _hashes(draft: Draft, space: Space) -> set[str]:
    """Return by which hashes the same record may be there: with its time, or without.

    Who writes a record seldom says when it was true; an export always does.
    """
    stored = records.with_content(draft)
    return {
        dedup_hash(one, space_id=space.pk, agent="")
        for one in (stored, replace(stored, observed_at=None))
    }
