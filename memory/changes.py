"""Edit, tag, forget, restore and purge records, for those who may write them."""

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Conflict, NotFound
from memory import access, entries
from memory.drafts import Draft, check_content, check_fields, dedup_hash, text_hash
from memory.locks import lock
from memory.models import Memory, Revision
from memory.scopes import SUPERSEDED
from memory.tagging import close_decisions, refuse_second_live_fact, set_tags

EDITABLE = frozenset(
    {
        "content",
        "kind",
        "domain",
        "title",
        "importance",
        "tags",
        "metadata",
        "observed_at",
        "expires_at",
    }
)
COMPARED = frozenset({"content", "kind", "domain"})
"""What makes others alike that were not before."""
INDEXED = frozenset({"content", "title", "observed_at"})
"""What has to be indexed anew when it changes."""


def get_for_change(actor: Actor, uid: Any, *, forgotten: bool = False) -> Memory:
    """Return the record, locked, if the actor may change it.

    Raises NotFound for what the actor may not read, and Forbidden otherwise.
    """
    memory = (
        Memory.objects.readable_by(actor)
        .filter(uid=uid, forgotten_at__isnull=not forgotten)
        .select_related("space")
        .select_for_update(of=("self",))
        .first()
    )
    if memory is None:
        raise NotFound("There is no such record.")
    access.can_change(actor, memory).require()
    return memory


@transaction.atomic
def edit(
    *, actor: Actor, uid: Any, changes: dict[str, Any], version: int | None = None
) -> Memory:
    """Change a record in place, keep what it was as a revision, index it anew.

    `version` is the one the editor saw; raises Conflict when it moved on since.
    """
    memory = get_for_change(actor, uid)
    _check_version(memory, version)
    before = _differences(memory, changes)
    if not before:
        return memory
    _check_edit(actor, memory, before, changes)
    for name in before:
        if name != "tags":
            setattr(memory, name, changes[name])
    if "tags" in before:
        set_tags(memory, changes["tags"], present=frozenset(before["tags"]))
        if SUPERSEDED in before["tags"] and not memory.is_superseded:
            close_decisions(memory, actor=actor)
    if COMPARED & before.keys():
        memory.compared_at = None
    memory.version += 1
    memory.updated_at = timezone.now()
    memory.text_hash = text_hash(memory.content, memory.value)
    memory.dedup_hash = dedup_hash(
        _as_draft(memory), space_id=memory.space_id, agent=memory.agent
    )
    memory.save()
    Revision.objects.create(
        memory=memory, via="edit", before=_plain(before), actor_id=actor.user_id
    )
    if INDEXED & before.keys():
        entries.enter(memory, entries.prepare(memory.title, memory.content))
        entries.queue_vectors()
    return memory


def _check_version(memory: Memory, seen: int | None) -> None:
    if seen is not None and seen != memory.version:
        raise Conflict(
            "The record was changed in between.",
            code="version_conflict",
            remedy="Read it again, and apply your change to the new version.",
            version=memory.version,
        )


def _differences(memory: Memory, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the old values of what would really change."""
    unknown = changes.keys() - EDITABLE
    if unknown:
        raise BadInput(f"{min(unknown)} cannot be edited.", field=min(unknown))
    before = {}
    for name, new in changes.items():
        old = memory.tag_names() if name == "tags" else getattr(memory, name)
        if name == "tags":
            new = sorted(set(new))
        if old != new:
            before[name] = old
    return before


def _check_edit(
    actor: Actor, memory: Memory, before: dict[str, Any], changes: dict[str, Any]
) -> None:
    now = timezone.now()
    draft = replace(
        _as_draft(memory),
        **{name: changes[name] for name in before if name != "observed_at"},
    )
    if "observed_at" in before:
        if changes["observed_at"] is None:
            raise BadInput("observed_at cannot be empty.", field="observed_at")
        draft = replace(draft, observed_at=changes["observed_at"])
    if "expires_at" not in before:
        draft = replace(draft, expires_at=None)
    check_fields(draft, now=now)
    if "content" in before:
        check_content(draft.content)
    if "tags" in before:
        changed = set(before["tags"]) ^ set(changes["tags"])
        access.can_set_tags(actor, memory.space, changed).require()


def _as_draft(memory: Memory) -> Draft:
    return Draft(
        scope=memory.scope,
        content=memory.content,
        kind=memory.kind,
        domain=memory.domain,
        key=memory.key,
        value=memory.value,
        title=memory.title,
        importance=memory.importance,
        metadata=memory.metadata,
        observed_at=memory.observed_at,
        expires_at=memory.expires_at,
        sequence_id=memory.sequence_id,
        sequence_position=memory.sequence_position,
    )


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in values.items()
    }


@transaction.atomic
def forget(*, actor: Actor, uid: Any, version: int | None = None) -> Memory:
    """Take a record out of search and prompt at once; restorable for 30 days.

    Raises Conflict when it moved on since the `version` that was seen.
    """
    memory = get_for_change(actor, uid)
    _check_version(memory, version)
    memory.forgotten_at = timezone.now()
    memory.save(update_fields=["forgotten_at"])
    entries.leave([memory.pk])
    return memory


@transaction.atomic
def restore(*, actor: Actor, uid: Any) -> Memory:
    """Bring a forgotten record back; it is findable by word at once."""
    memory = get_for_change(actor, uid, forgotten=True)
    lock(("fact", memory.space_id, memory.domain, memory.key))
    refuse_second_live_fact(memory)
    memory.forgotten_at = None
    memory.save(update_fields=["forgotten_at"])
    entries.enter(memory, entries.prepare(memory.title, memory.content))
    entries.queue_vectors()
    return memory


@transaction.atomic
def purge(*, actor: Actor, uid: Any, version: int | None = None) -> None:
    """Delete a record for good, forgotten before or not (administrators).

    Raises Conflict when it moved on since the `version` that was seen.
    """
    access.can_purge(actor).require()
    memory = (
        Memory.objects.readable_by(actor)
        .filter(uid=uid)
        .select_related("space")
        .select_for_update(of=("self",))
        .first()
    )
    if memory is None:
        raise NotFound("There is no such record.")
    access.can_change(actor, memory).require()
    _check_version(memory, version)
    entries.leave([memory.pk])
    memory.delete()
