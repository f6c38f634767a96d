"""Write the sample's records as its people and their agents would have."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.actors import Actor, Conversation, RunKind, actor_for_key, actor_for_user
from accounts.models import ApiKey, User
from memory import changes, records
from memory.demo.source import Entry
from memory.drafts import Draft
from memory.models import Memory, Revision


def write_all(
    entries: Sequence[Entry],
    *,
    people: Mapping[str, User],
    gateway: ApiKey,
    loaded: datetime,
) -> None:
    """Write the records in order, then what happened to some of them since."""
    for entry in entries:
        actor = actor_of(people[entry.by], gateway, entry.via)
        written = records.write(actor=actor, draft=_draft(entry, loaded))
        memory = written.memory
        _as_written_on(memory, memory.observed_at)
        if entry.edit:
            fields = dict(entry.edit)
            editor = actor_for_user(people[fields.pop("by")])
            later = fields.pop("days_later")
            changes.edit(actor=editor, uid=memory.uid, changes=fields)
            _as_edited_on(memory, memory.observed_at + timedelta(days=later))
        if entry.forgotten:
            changes.forget(actor=actor, uid=memory.uid)


def _as_written_on(memory: Memory, when: datetime) -> None:
    """Make lists and charts look like a year of use; only a sample may do that."""
    Memory.objects.filter(pk=memory.pk).update(created_at=when, updated_at=when)
    Memory.objects.filter(superseded_by=memory).update(superseded_at=when)
    Revision.objects.filter(replacement=memory).update(created_at=when)


def _as_edited_on(memory: Memory, when: datetime) -> None:
    Memory.objects.filter(pk=memory.pk).update(updated_at=when)
    Revision.objects.filter(memory=memory).update(created_at=when)


def actor_of(person: User, gateway: ApiKey, via: str) -> Actor:
    """Return the actor of a person in the browser, or of an agent's run for them."""
    if via == RunKind.HUMAN:
        return actor_for_user(person)
    return actor_for_key(
        gateway,
        run=via,
        conversation=Conversation.DIRECT,
        user_name=person.username,
    )


def _draft(entry: Entry, loaded: datetime) -> Draft:
    sequence = entry.sequence or {}
    expires_at = None
    if entry.expires_in_days is not None:
        expires_at = timezone.now() + timedelta(days=entry.expires_in_days)
    return Draft(
        scope=entry.scope,
        content=entry.content,
        kind=entry.kind,
        domain=entry.domain,
        key=entry.key,
        value=entry.value,
        title=entry.title,
        importance=entry.importance,
        tags=entry.tags,
        observed_at=entry.observed_at(loaded),
        expires_at=expires_at,
        sequence_id=sequence.get("id", ""),
        sequence_position=sequence.get("position"),
    )
