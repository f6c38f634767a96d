"""Write, edit, tag, forget, restore and purge records.

Every function judges first, then changes row, keyword entry and job in one transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor, RunKind
from goclaw.lib.errors import BadInput, Conflict, GoClawError, NotFound
from memory import access, entries
from memory.drafts import (
    Draft,
    canonical,
    check,
    check_content,
    check_fields,
    dedup_hash,
    text_hash,
)
from memory.locks import lock
from memory.models import Memory, MemoryTag, Revision, Space
from memory.scopes import SUPERSEDED, Origin
from memory.spaces import space_for

DEDUP_WINDOW = timedelta(hours=24)

# What an edit may change, and what has to be indexed anew when it changes.
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
INDEXED = frozenset({"content", "title", "observed_at"})


@dataclass(frozen=True, slots=True)
class Written:
    """The record of a write; `deduplicated` when it was there already."""

    memory: Memory
    deduplicated: bool


# --- writing -------------------------------------------------------------------------
def write(*, actor: Actor, draft: Draft, origin: str = "", tool: str = "") -> Written:
    """Store a record and queue its indexing, or return the same one of the last day.

    A keyed fact supersedes the live one of its space, domain and key.
    Raises BadInput, TooLarge or Forbidden, and then changes nothing.
    """
    draft = with_content(draft)
    check(draft, now=timezone.now())
    space = space_for(actor, draft.scope)
    access.can_write(actor, space).require()
    access.can_set_tags(actor, space, draft.tags).require()
    prepared = entries.prepare(draft.title, draft.content)
    with transaction.atomic():
        return _insert(actor, space, draft, prepared, origin, tool)


def write_many(
    *, actor: Actor, drafts: Sequence[Draft], origin: str = ""
) -> list[Written | GoClawError]:
    """Store many records; each answers for itself, in the order of the input."""
    results: list[Written | GoClawError] = []
    for start in range(0, len(drafts), 50):  # so that other writers get their turn
        with transaction.atomic():
            for draft in drafts[start : start + 50]:
                try:
                    results.append(write(actor=actor, draft=draft, origin=origin))
                except GoClawError as error:
                    results.append(error)
    return results


def with_content(draft: Draft) -> Draft:
    """Give a keyed fact without text the text that search will find it by."""
    if draft.key and not draft.content and draft.value is not None:
        value = draft.value if isinstance(draft.value, str) else canonical(draft.value)
        return replace(draft, content=f"{draft.key}: {value}")
    return draft


def _insert(
    actor: Actor,
    space: Space,
    draft: Draft,
    prepared: entries.Prepared,
    origin: str,
    tool: str,
) -> Written:
    now = timezone.now()
    identity = dedup_hash(draft, space_id=space.pk, agent="")
    lock("write", space.pk, draft.domain, draft.key, "" if draft.key else identity)
    first = (
        Memory.objects.live(now)
        .current()
        .filter(dedup_hash=identity, created_at__gt=now - DEDUP_WINDOW)
        .order_by("id")
        .first()
    )
    if first:
        return Written(first, deduplicated=True)
    older = _retire_keyed(space, draft, now) if draft.key else []
    memory = Memory.objects.create(
        space=space,
        scope=space.kind,
        owner_id=space.owner_id,
        kind=draft.kind,
        domain=draft.domain,
        key=draft.key,
        value=draft.value,
        title=draft.title,
        content=draft.content,
        text_hash=text_hash(draft.content, draft.value),
        importance=draft.importance,
        metadata=draft.metadata,
        sequence_id=draft.sequence_id,
        sequence_position=draft.sequence_position,
        observed_at=draft.observed_at or now,
        expires_at=draft.expires_at,
        created_at=now,
        updated_at=now,
        dedup_hash=identity,
        tool=tool,
        **provenance(actor, origin),
    )
    _set_tags(memory, draft.tags, present=frozenset())
    for old in older:
        old.superseded_by = memory
        old.save(update_fields=["superseded_by"])
        Revision.objects.create(
            memory=old,
            replacement=memory,
            via="key",
            actor_id=actor.user_id,
            reason=f"{draft.key} was set again.",
        )
    entries.enter(memory, prepared)
    return Written(memory, deduplicated=False)


def _retire_keyed(space: Space, draft: Draft, now: Any) -> list[Memory]:
    """Take the live fact of the same key out of search; an expired one as well."""
    older = list(
        Memory.objects.current().filter(
            space=space,
            domain=draft.domain,
            key=draft.key,
            forgotten_at__isnull=True,
        )
    )
    for old in older:
        old.superseded_at = now
        old.save(update_fields=["superseded_at"])
    return older


def provenance(actor: Actor, origin: str) -> dict[str, Any]:
    """Return the columns that say who wrote a record, from the actor alone."""
    by_default = {RunKind.HUMAN: Origin.PERSON, RunKind.SYSTEM: Origin.SYSTEM}
    return {
        "origin": origin or by_default.get(actor.run, Origin.AGENT),
        "run_kind": actor.run,
        "created_by_id": actor.user_id,
        "created_by_key_id": actor.key_id,
    }


# --- changing ------------------------------------------------------------------------
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
    if version is not None and version != memory.version:
        raise Conflict(
            "The record was changed in between.",
            code="version_conflict",
            remedy="Read it again, and apply your change to the new version.",
            version=memory.version,
        )
    before = _differences(memory, changes)
    if not before:
        return memory
    _check_edit(actor, memory, before, changes)
    for name in before:
        if name != "tags":
            setattr(memory, name, changes[name])
    if "tags" in before:
        _set_tags(memory, changes["tags"], present=frozenset(before["tags"]))
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
    return memory


def _differences(memory: Memory, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the old values of what would really change."""
    unknown = changes.keys() - EDITABLE
    if unknown:
        raise BadInput(
            f"{min(unknown)} cannot be edited.", field=min(unknown)
        )
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


def _set_tags(
    memory: Memory, names: Iterable[str], *, present: frozenset[str]
) -> None:
    """Make the tags exactly these; `superseded` is kept as a date, not as a row."""
    wanted = frozenset(names)
    if SUPERSEDED in wanted ^ present:
        memory.superseded_at = timezone.now() if SUPERSEDED in wanted else None
        memory.superseded_by = None
        _refuse_second_live_fact(memory)
        memory.save(update_fields=["superseded_at", "superseded_by"])
    memory.tags.filter(name__in=present - wanted).delete()
    MemoryTag.objects.bulk_create(
        MemoryTag(memory=memory, name=name)
        for name in sorted(wanted - present - {SUPERSEDED})
    )


# --- forgetting ----------------------------------------------------------------------
@transaction.atomic
def forget(*, actor: Actor, uid: Any) -> Memory:
    """Take a record out of search and prompt at once; restorable for 30 days."""
    memory = get_for_change(actor, uid)
    memory.forgotten_at = timezone.now()
    memory.save(update_fields=["forgotten_at"])
    entries.leave([memory.pk])
    return memory


@transaction.atomic
def restore(*, actor: Actor, uid: Any) -> Memory:
    """Bring a forgotten record back; it is findable by word at once."""
    memory = get_for_change(actor, uid, forgotten=True)
    lock("write", memory.space_id, memory.domain, memory.key, "")
    _refuse_second_live_fact(memory)
    memory.forgotten_at = None
    memory.save(update_fields=["forgotten_at"])
    entries.enter(memory, entries.prepare(memory.title, memory.content))
    return memory


def _refuse_second_live_fact(memory: Memory) -> None:
    """Refuse to bring back a keyed fact that has been set again."""
    if not memory.key or memory.is_superseded:
        return
    others = Memory.objects.current().filter(
        space=memory.space_id,
        domain=memory.domain,
        key=memory.key,
        forgotten_at__isnull=True,
    )
    if others.exclude(pk=memory.pk).exists():
        raise Conflict(
            f"{memory.key} has been set again since.",
            code="key_taken",
            remedy="Forget the newer fact first.",
        )


@transaction.atomic
def purge(*, actor: Actor, uid: Any) -> None:
    """Delete a record for good, forgotten before or not (administrators)."""
    access.can_purge(actor).require()
    memory = (
        Memory.objects.readable_by(actor).filter(uid=uid).select_related("space").first()
    )
    if memory is None:
        raise NotFound("There is no such record.")
    access.can_change(actor, memory).require()
    entries.leave([memory.pk])
    memory.delete()


# --- mirrored records ----------------------------------------------------------------
def sync_document(
    *,
    space: Space,
    agent: str,
    source_key: str,
    title: str,
    content: str,
    kind: str,
    observed_at: Any,
    origin: str,
) -> tuple[Memory, bool]:
    """Make the mirror of a page or file say what the source says; True if it changed.

    Called by the system inside the transaction that changed the source.
    """
    now = timezone.now()
    prepared = entries.prepare(title, content)
    fields = {
        "title": title,
        "content": content,
        "text_hash": text_hash(content),
        "kind": kind,
        "observed_at": observed_at,
        "updated_at": now,
        "dedup_hash": "",
        "forgotten_at": None,
    }
    with transaction.atomic():
        lock("mirror", space.pk, agent, source_key)
        memory = Memory.objects.filter(
            space=space, agent=agent, source_key=source_key
        ).first()
        if memory is None:
            memory = Memory.objects.create(
                space=space,
                scope=space.kind,
                agent=agent,
                source_key=source_key,
                origin=origin,
                run_kind=RunKind.SYSTEM,
                **fields,
            )
        elif all(getattr(memory, k) == fields[k] for k in ("title", "text_hash", "kind", "observed_at", "forgotten_at")):
            return memory, False
        else:
            for name, value in fields.items():
                setattr(memory, name, value)
            memory.version += 1
            memory.save()
        entries.enter(memory, prepared)
    return memory, True


def remove_documents(memories: Iterable[Memory]) -> None:
    """Delete the mirrors of sources that are gone."""
    ids = [memory.pk for memory in memories]
    with transaction.atomic():
        entries.leave(ids)
        Memory.objects.filter(pk__in=ids).delete()
