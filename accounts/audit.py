"""Write the audit log: administrators' and destructive actions, sign-ins, keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from accounts.models import ApiKey, AuditEntry, User

if TYPE_CHECKING:
    from accounts.actors import Actor


def record(
    action: str,
    *,
    actor: Actor | None = None,
    user: User | None = None,
    key: ApiKey | None = None,
    target: str = "",
    details: Mapping[str, Any] | None = None,
    ip: str | None = None,
) -> AuditEntry:
    """Add an entry and return it.

    `actor` is who acts; where there is no actor yet (signing in, making a person),
    `user` and `key` say it. `details` must hold neither content nor secrets.
    """
    entry = AuditEntry(actor=user, key=key)
    if actor is not None:
        entry = AuditEntry(actor_id=actor.user_id, key_id=actor.key_id, run=actor.run)
    entry.action = action
    entry.target = target[:200]
    entry.details = dict(details or {})
    entry.ip = ip
    entry.save()
    return entry
