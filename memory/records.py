"""Write records: judged first, then row, chunks, keywords and job in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from accounts.kinds import RunKind
from goclaw.lib.errors import GoClawError
from memory import access, entries
from memory.drafts import Draft, canonical, check, dedup_hash, text_hash
from memory.locks import lock
from memory.models import Memory, Revision, Space
from memory.scopes import Origin
from memory.spaces import space_for
from memory.tagging import set_tags

DEDUP_WINDOW = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Written:
    """The record of a write; `deduplicated` when it was there already."""

    memory: Memory
    deduplicated: bool


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
    set_tags(memory, draft.tags, present=frozenset())
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


def _retire_keyed(space: Space, draft: Draft, now: datetime) -> list[Memory]:
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
