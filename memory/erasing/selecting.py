"""Forget many records at once; delete a scope's records for good."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.actors import Actor
from goclaw.lib.errors import BadInput, NotFound
from memory import access, entries
from memory.backups.copying import SafetyCopy, safety_copy
from memory.models import Chunk, Embedding, Memory, Revision
from memory.models.memories import MemoryQuerySet
from memory.scopes import WRITABLE_SCOPES, Scope
from memory.spaces import space_for

AT_ONCE = 200
"""Records that share a transaction, so that writers need not wait."""
CLEARED = (*WRITABLE_SCOPES, Scope.DB_CACHE)


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, or would be, in counts; and the copy that was made before."""

    counts: dict[str, int]
    copy: SafetyCopy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which records to forget: by id, or all that match."""

    ids: Sequence[UUID] = ()
    scope: str = ""
    kind: str = ""
    domain: str = ""
    tag: str = ""
    until: datetime | None = None


def forget_many(
    *, actor: Actor, selection: Selection, dry_run: bool, backed_up: bool
) -> Done:
    """Take the selected records out of search; for 30 days they can be restored.

    Those that the actor may not change stay, and are counted. Raises BadInput for a
    selection of everything, NotFound for ids of nothing, Conflict (`backup_needed`).
    """
    found = _selected(actor, selection)
    allowed = [m.pk for m in found if access.can_change(actor, m)]
    refused = len(found) - len(allowed)
    counts = {"matched": len(found), "not_allowed": refused, "forgotten": 0}
    if dry_run or not allowed:
        return Done(counts)
    copy = None
    if access.can_administrate(actor):  # others reach little that is not their own
        copy = safety_copy(backed_up=backed_up)
    for start in range(0, len(allowed), AT_ONCE):
        with transaction.atomic():
            rows = Memory.objects.filter(
                pk__in=allowed[start : start + AT_ONCE], forgotten_at__isnull=True
            )
            ids = list(rows.select_for_update().values_list("pk", flat=True))
            entries.leave(ids)
            Memory.objects.filter(pk__in=ids).update(forgotten_at=timezone.now())
            counts["forgotten"] += len(ids)
    audit.record("memory.forget", actor=actor, details=counts)
    return Done(counts, copy)


def clear(
    *, actor: Actor, scope: str, domain: str, dry_run: bool, backed_up: bool
) -> Done:
    """Delete the records of a scope for good, forgotten and replaced ones as well.

    Of `personal` those of the actor itself; the others are for administrators.
    Copies of pages and files stay: they go with what they are copies of.
    """
    if scope not in CLEARED:
        raise BadInput(
            f"The scope {scope!r} cannot be cleared.",
            code="unknown_scope",
            field="scope",
            remedy=f"Use one of {', '.join(CLEARED)}; pages and files are deleted"
            " where they are.",
        )
    space = space_for(actor, scope)
    if scope == Scope.PERSONAL:
        access.can_write(actor, space).require()
    else:
        access.can_administrate(actor).require()
    found = Memory.objects.filter(space=space, source_key="")
    if domain:
        found = found.filter(domain=domain)
    counts = count_with_entries(found)
    if dry_run or not counts["records"]:
        return Done(counts)
    copy = safety_copy(backed_up=backed_up)
    delete_in_turns(found)
    audit.record(
        "memory.clear", actor=actor, target=scope, details=counts | {"domain": domain}
    )
    return Done(counts, copy)


def count_with_entries(found: MemoryQuerySet) -> dict[str, int]:
    """Count records with all that hangs on them."""
    ids = found.order_by().values("pk")
    return {
        "records": found.count(),
        "chunks": Chunk.objects.filter(memory__in=ids).count(),
        "vectors": Embedding.objects.filter(chunk__memory__in=ids).count(),
        "revisions": Revision.objects.filter(memory__in=ids).count(),
    }


def delete_in_turns(found: MemoryQuerySet) -> None:
    """Delete records for good, with chunks, vectors, keywords, revisions, recalls."""
    rows = found.order_by("pk").values_list("pk", flat=True)
    while ids := list(rows[:AT_ONCE]):
        with transaction.atomic():
            entries.leave(ids)
            Memory.objects.filter(pk__in=ids).delete()


def _selected(actor: Actor, selection: Selection) -> list[Memory]:
    if not selection.ids and not selection.scope:
        raise BadInput(
            "Say which records: ids, or a scope.",
            field="scope",
            remedy="`clear` deletes whole scopes.",
        )
    found = Memory.objects.readable_by(actor).filter(forgotten_at__isnull=True)
    if selection.ids:
        found = found.filter(uid__in=selection.ids)
        if found.count() < len(set(selection.ids)):
            raise NotFound("One of these ids is of no record.", field="ids")
    else:
        found = found.filter(source_key="")
    for name in ("scope", "kind", "domain"):
        if value := getattr(selection, name):
            found = found.filter(**{name: value})
    if selection.tag:
        found = found.tagged(selection.tag)
    if selection.until:
        found = found.filter(observed_at__lt=selection.until)
    light = found.select_related("space").only("pk", "run_kind", "space")
    return list(light.order_by("pk"))
