"""Who may create, renew and end API keys, and which rights they may give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from accounts.actors import Actor
from accounts.kinds import Conversation, RunKind
from accounts.models import ApiKey
from goclaw.lib.errors import Forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRights:
    """What a key may do."""

    runs: Sequence[str] = (RunKind.CHAT.value,)
    may_act_for_others: bool = False
    auto_provision: bool = False
    may_write_db_cache: bool = False
    expires_at: datetime | None = None

    @classmethod
    def of(cls, key: ApiKey) -> Self:
        """Return the rights of an existing key."""
        return cls(
            runs=key.runs,
            may_act_for_others=key.may_act_for_others,
            auto_provision=key.auto_provision,
            may_write_db_cache=key.may_write_db_cache,
            expires_at=key.expires_at,
        )

    @property
    def exceed_owner(self) -> bool:
        """Tell whether the key could do more than its owner can in the browser."""
        return (
            any(run != RunKind.CHAT for run in self.runs)
            or self.may_act_for_others
            or self.auto_provision
            or self.may_write_db_cache
        )

    def exceed(self, other: Self) -> bool:
        """Tell whether these rights hold anything that `other` does not."""
        outlives = other.expires_at is not None and (
            self.expires_at is None or self.expires_at > other.expires_at
        )
        return (
            outlives
            or not set(self.runs) <= set(other.runs)
            or self.may_act_for_others > other.may_act_for_others
            or self.auto_provision > other.auto_provision
            or self.may_write_db_cache > other.may_write_db_cache
        )


def check_manages(actor: Actor) -> None:
    """Raise `Forbidden` unless keys can be managed through this door at all.

    A person in the browser can, and so can a key in a direct chat of its own owner: an
    agent that reads other people's words cannot.
    """
    if actor.run is RunKind.SYSTEM:
        return
    if actor.run is RunKind.HUMAN and actor.is_authenticated:
        return
    own_chat = (
        actor.run is RunKind.CHAT
        and actor.conversation is Conversation.DIRECT
        and actor.key_id is not None
        and ApiKey.objects.filter(pk=actor.key_id, owner_id=actor.user_id).exists()
    )
    if not own_chat:
        raise Forbidden(
            "Keys are managed by people, not in autonomous runs, shared conversations "
            "or on behalf of somebody else.",
            remedy="Sign in and open your keys in the browser.",
        )


def check_may_give(actor: Actor, *, for_other: bool, rights: KeyRights) -> None:
    """Raise `Forbidden` unless the actor may make a key with `rights`.

    `for_other` says that the key will be another person's.

    Only administrators give what goes beyond a person's own chat, or make keys for
    others; and nobody gets more out of a key than the key itself may do.
    """
    check_manages(actor)
    if actor.run is RunKind.SYSTEM:
        return
    if not actor.is_admin and (for_other or rights.exceed_owner):
        raise Forbidden(
            "Only administrators make keys for other people, for autonomous runs, or "
            "with rights beyond chat.",
            remedy="Ask an administrator for such a key.",
        )
    if actor.key_id is None:
        return
    parent = ApiKey.objects.get(pk=actor.key_id)
    beyond = rights.exceed(KeyRights.of(parent))
    if beyond or (for_other and not parent.may_act_for_others):
        raise Forbidden(
            "A key cannot make a key that may do more than itself.",
            remedy="Make the key in the browser.",
        )
