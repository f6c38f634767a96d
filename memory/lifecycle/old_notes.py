"""What is old enough to be put away: global records, and daily notes on disk."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from django.db.models import QuerySet
from django.utils import timezone

from memory.drafts import text_hash
from memory.models import Agent, Memory, MemoryTag, Space
from memory.scopes import CRITICAL, UNVERIFIED, Scope
from memory.workspace import Unreadable, read_text
from memory.workspace_files import WorkspaceFile, files_of

TAKEN_INTO = "taken_into"
"""In a record's metadata: the file that its facts went into, before it was put away."""
_DAILY = re.compile(r"memory/(\d{4}-\d{2}-\d{2})[^/]*\.md")


@dataclass(frozen=True, slots=True)
class DailyFile:
    """A daily note of an agent; `day` is in its name."""

    path: str
    location: Path
    day: date


@dataclass(frozen=True, slots=True)
class OldNote:
    """One thing to put away, as it was read: `ref` names it, `state` is its version."""

    ref: str
    state: str
    text: str
    day: date

    @property
    def is_file(self) -> bool:
        """Say whether it is a daily note on disk, and no record."""
        return self.ref.startswith("memory/")


def old_records(agent: Agent, *, days: int) -> QuerySet[Memory]:
    """Return the global records that are older, oldest first.

    They are everybody's, and go where everybody finds them: into the file of the
    default agent, and nowhere with another. Left out are critical, unverified and keyed
    ones: these are asked for one by one; and those that were taken before and that a
    person restored.
    """
    space = Space.objects.get(kind=Scope.GLOBAL, path="")
    set_apart = MemoryTag.objects.filter(name__in=[CRITICAL, UNVERIFIED])
    rows = Memory.objects.live().current().filter(space=space, key="", source_key="")
    if not agent.default:
        return rows.none()
    return (
        rows.filter(created_at__lt=timezone.now() - timedelta(days=days))
        .exclude(pk__in=set_apart.values("memory_id"))
        .exclude(metadata__has_key=TAKEN_INTO)
        .order_by("created_at", "pk")
    )


def old_files(agent: Agent, *, days: int) -> list[DailyFile]:
    """Return the daily notes of days before that, oldest first."""
    before = timezone.localdate() - timedelta(days=days)
    found = [daily for daily in _daily_files(agent) if daily.day < before]
    return sorted(found, key=lambda daily: (daily.day, daily.path))


def as_notes(
    records: Sequence[Memory], files: Sequence[DailyFile]
) -> Iterator[OldNote]:
    """Yield what there is to read, records first; without files that are no text."""
    for record in records:
        yield OldNote(
            ref=str(record.uid),
            state=str(record.version),
            text=record.content,
            day=timezone.localdate(record.observed_at),
        )
    for daily in files:
        try:
            text = read_text(daily.location)
        except Unreadable:
            continue
        yield OldNote(daily.path, text_hash(text), text, daily.day)


def _daily_files(agent: Agent) -> Iterator[DailyFile]:
    for file in files_of(agent):
        match = _DAILY.fullmatch(file.path)
        if match is None or not isinstance(file, WorkspaceFile):
            continue
        try:
            day = date.fromisoformat(match[1])
        except ValueError:
            continue  # 2026-02-30 is a name, not a day
        yield DailyFile(file.path, file.location, day)
