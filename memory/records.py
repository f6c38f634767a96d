"""Write records: judged first, then row, chunks, keywords, job in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor
from accounts.kinds import RunKind
from goclaw.lib import sql
from goclaw.lib.errors import GoClawError
from memory import access, entries
from memory.drafts import Draft, canonical, check, dedup_hash, text_hash
from memory.locks import lock
from memory.models import Memory, Revision, Space
from memory.scopes import Origin
from memory.spaces import space_for
from memory.tagging import set_tags

DEDUP_WINDOW = timedelta(hours=24)
_SAME_TEXT = """
dedup_hash = %s AND created_at > %s AND forgotten_at IS NULL AND superseded_at IS NULL
AND (expires_at IS NULL OR expires_at > %s) ORDER BY id
"""
AT_ONCE = 50
"""Records of a bulk that share a transaction, so that other writers get their turn."""


@dataclass(frozen=True, slots=True)
class Written:
    """The record of a write; `deduplicated` when it was there already."""

    memory: Memory
    deduplicated: bool
    because: str = ""
    """Why it counts as the same, where that is not said by the time."""

    @property
    def reason(self) -> str | None:
        """Say why nothing was stored, where it was there already."""
        if not self.deduplicated or self.because:
            return self.because or None
        since = self.memory.created_at.astimezone(UTC)
        return f"The same text was written here within a day, at {since:%H:%M} UTC."


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft that may be written, with all that is made before its transaction."""

    draft: Draft
    space: Space
    identity: str
    prepared: entries.Prepared

    @property
    def turn(self) -> tuple[object, ...]:
        """Return what writers of the same fact, or the same text, take turns for."""
        if self.draft.key:
            return "fact", self.space.pk, self.draft.domain, self.draft.key
        return "text", self.identity


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record comes from, besides its actor."""

    origin: str = ""
    tool: str = ""
    session: str = ""
    message: str = ""
    run: str = ""


def write(
    *,
    actor: Actor,
    draft: Draft,
    origin: str = "",
    tool: str = "",
    session: str = "",
    message: str = "",
    run: str = "",
) -> Written:
    """Store a record and queue its indexing, or return the same one of the last day.

    A draft with `force` is stored in any case.
    A keyed fact supersedes the live one of its space, domain and key.
    Raises BadInput, TooLarge or Forbidden, and then changes nothing.
    """
    source = Source(origin=origin, tool=tool, session=session, message=message, run=run)
    return store(actor=actor, judged=judge(actor=actor, draft=draft), source=source)


@transaction.atomic
def store(*, actor: Actor, judged: Judged, source: Source) -> Written:
    """Store a draft that was judged, as `write` does."""
    lock(judged.turn)
    written = _insert(actor, judged, source)
    if not written.deduplicated:
        entries.queue_vectors()
    return written


def write_many(
    *, actor: Actor, drafts: Sequence[Draft], origin: str = ""
) -> list[Written | GoClawError]:
    """Store many records; each answers for itself, in the order of the input."""
    results: list[Written | GoClawError] = []
    for start in range(0, len(drafts), AT_ONCE):
        judged = [_try_to_judge(actor, d) for d in drafts[start : start + AT_ONCE]]
        with transaction.atomic():
            lock(*(one.turn for one in judged if isinstance(one, Judged)))
            results += [
                _insert(actor, one, Source(origin=origin))
                if isinstance(one, Judged)
                else one
                for one in judged
            ]
            entries.queue_vectors()
    return results


def judge(*, actor: Actor, draft: Draft) -> Judged:
    """Return what `store` needs. Raises BadInput, TooLarge or Forbidden."""
    draft = with_content(draft)
    check(draft, now=timezone.now())
    space = space_for(actor, draft.scope)
    access.can_write(actor, space).require()
    access.can_set_tags(actor, space, draft.tags).require()
    return Judged(
        draft=draft,
        space=space,
        identity=dedup_hash(draft, space_id=space.pk, agent=""),
        prepared=entries.prepare(draft.title, draft.content),
    )


def _try_to_judge(actor: Actor, draft: Draft) -> Judged | GoClawError:
    try:
        return judge(actor=actor, draft=draft)
    except GoClawError as error:
        return error


def with_content(draft: Draft) -> Draft:
    """Give a keyed fact without text the text that search will find it by."""
    if draft.key and not draft.content and draft.value is not None:
        value = draft.value if isinstance(draft.value, str) else canonical(draft.value)
        return replace(draft, content=f"{draft.key}: {value}")
    return draft


def _insert(actor: Actor, judged: Judged, source: Source) -> Written:
    """Store one record, unless it is there, in the caller's transaction."""
    now = timezone.now()
    draft, space = judged.draft, judged.space
    if not draft.force and (first := _same_text(judged.identity, now)):
        return Written(first, deduplicated=True)
    older = _retire_keyed(space, draft, now) if draft.key else []
    memory = Memory.objects.create(
        uid=draft.uid or uuid4(),
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
        dedup_hash=judged.identity,
        tool=source.tool,
        session=source.session,
        message=source.message,
        run=source.run,
        **provenance(actor, source.origin),
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
    entries.enter(memory, judged.prepared, new=True)
    return Written(memory, deduplicated=False)


def _same_text(identity: str, now: datetime) -> Memory | None:
    """Return the live record of the last day that says exactly this."""
    since = sql.moment(now - DEDUP_WINDOW)
    return sql.first(Memory, _SAME_TEXT, identity, since, sql.moment(now))


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


def origin_of(actor: Actor) -> Origin:
    """Return whose text it is that an actor writes, where nothing else is said."""
    by_default = {RunKind.HUMAN: Origin.PERSON, RunKind.SYSTEM: Origin.SYSTEM}
    return by_default.get(actor.run, Origin.AGENT)


def provenance(actor: Actor, origin: str) -> dict[str, Any]:
    """Return the columns that say who wrote a record, from the actor alone."""
    return {
        "origin": origin or origin_of(actor),
        "run_kind": actor.run,
        "created_by_id": actor.user_id,
        "created_by_key_id": actor.key_id,
    }
