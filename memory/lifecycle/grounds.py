"""Whether one record may be taken to replace another: what no model can talk away."""

from dataclasses import dataclass
from datetime import datetime

from accounts.kinds import AUTONOMOUS_RUNS
from memory.lifecycle.vetoes import vetoed
from memory.models import Memory
from memory.scopes import CRITICAL, UNVERIFIED

BY_PEOPLE = frozenset({"person", "key", "edit", "undo"})
"""Decisions that are somebody's own; all others are a machine's, and can be vetoed."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a decision is refused: a stable code, and words."""

    code: str
    message: str


GONE = Ground("record_gone", "A record is gone, or was moved elsewhere.")
CHANGED = Ground("record_changed", "A record was changed in between.")
NOT_LIVE = Ground("record_not_live", "A record is forgotten, expired or superseded.")
_UNVERIFIED = Ground("record_unverified", "Nobody has confirmed a record yet.")
_CRITICAL = Ground("record_critical", "Critical records are retired by people only.")
_KEYED = Ground("record_keyed", "A keyed fact is replaced by setting its key again.")
_MIRROR = Ground("record_mirrored", "A copy of a page or file follows its source.")
_OUTSIDE = Ground(
    "run_autonomous", "An autonomous run replaces only what an autonomous run wrote."
)
_OLDER = Ground("record_older", "The replacement is not newer.")
_VETOED = Ground("vetoed", "A person undid this decision before.")


def is_live(memory: Memory, now: datetime) -> bool:
    """Say whether a record is in prompt and search."""
    expired = memory.expires_at is not None and memory.expires_at <= now
    return not (memory.is_forgotten or memory.is_superseded or expired)


def age_of(memory: Memory) -> tuple[datetime, datetime, int]:
    """Return what decides which of two records is newer: the later said, or written."""
    return memory.observed_at, memory.created_at, memory.pk


def against_retiring(
    old: Memory, tags: frozenset[str], *, via: str, now: datetime
) -> Ground | None:
    """Return why a record may not be retired this way, whatever replaces it."""
    if not is_live(old, now):
        return NOT_LIVE
    if via in BY_PEOPLE:
        return None
    if UNVERIFIED in tags:
        return _UNVERIFIED
    if CRITICAL in tags:
        return _CRITICAL
    if old.key:
        return _KEYED
    return _MIRROR if old.source_key else None


def against_replacing(
    old: Memory, new: Memory, new_tags: frozenset[str], *, via: str, now: datetime
) -> Ground | None:
    """Return why a record may not replace another this way."""
    if old.pk == new.pk or old.space_id != new.space_id:
        return GONE
    if not is_live(new, now):
        return NOT_LIVE
    if via in BY_PEOPLE:
        return None
    if UNVERIFIED in new_tags:
        return _UNVERIFIED
    if new.run_kind in AUTONOMOUS_RUNS and old.run_kind not in AUTONOMOUS_RUNS:
        return _OUTSIDE
    if age_of(new) <= age_of(old):
        return _OLDER
    return against_pair(old, new)


def against_pair(old: Memory, new: Memory) -> Ground | None:
    """Return that a person set two records apart, if one did."""
    pair = (old.content, new.content)
    return _VETOED if vetoed(old.space_id, [pair]) else None
