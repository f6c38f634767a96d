"""The actor: on whose behalf something happens, made once and passed down.

This is the only module that builds actors, for every door. An actor states facts; what
follows from them is decided where the rules are. In particular `is_admin` says that the
person is an administrator, also in an autonomous run or a shared conversation: whoever
gives rights to administrators has to look at `run` and `conversation` as well.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from accounts.kinds import AUTONOMOUS_RUNS, KEY_RUNS, Conversation, RunKind
from accounts.models import ApiKey, User
from accounts.people import person_for_key
from goclaw.lib import sql
from goclaw.lib.errors import BadInput, Forbidden

__all__ = [
    "Actor",
    "Conversation",
    "RunKind",
    "actor_for_key",
    "actor_for_turn",
    "actor_for_user",
    "actor_on_behalf_of",
    "actor_once_more",
    "anonymous_actor",
    "system_actor",
]

_GROUPS = "SELECT group_id FROM accounts_user_groups WHERE user_id = %s"

_Choice = TypeVar("_Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts, with which roles, in what kind of run and conversation.

    `user_id` is None for nobody and for our own jobs (`run` is then `system`).
    `group_ids` are the person's roles. `key_id` is the API key it came by, if any.
    `memo` is where those who judge keep what they looked up for this actor.
    """

    user_id: int | None
    username: str
    is_admin: bool = False
    group_ids: frozenset[int] = field(default_factory=frozenset)
    run: RunKind = RunKind.HUMAN
    conversation: Conversation = Conversation.DIRECT
    key_id: int | None = None
    timezone: str = "UTC"
    may_write_db_cache: bool = False
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_autonomous(self) -> bool:
        """Tell whether no person stands behind this run: sop, cron, webhook."""
        return self.run in AUTONOMOUS_RUNS

    @property
    def is_authenticated(self) -> bool:
        """Tell whether this is somebody: a person, or our own job."""
        return self.user_id is not None or self.run is RunKind.SYSTEM


def anonymous_actor() -> Actor:
    """Return the actor of a visitor who has not signed in."""
    return Actor(user_id=None, username="")


def system_actor() -> Actor:
    """Return the actor of our own jobs."""
    return Actor(user_id=None, username="system", run=RunKind.SYSTEM)


def actor_on_behalf_of(user: User) -> Actor:
    """Return the actor of our own job that keeps what a person said, as theirs."""
    return _actor(user, run=RunKind.SYSTEM, conversation=Conversation.DIRECT, key=None)


def actor_for_user(user: User) -> Actor:
    """Return the actor of a person in the browser or at the command line."""
    return _actor(user, run=RunKind.HUMAN, conversation=Conversation.DIRECT, key=None)


def actor_for_turn(
    user: User,
    *,
    run: RunKind = RunKind.CHAT,
    conversation: Conversation = Conversation.DIRECT,
) -> Actor:
    """Return the actor an agent's turn for a person would have, to show what it sees.

    Whoever shows it to somebody else leaves out what is the person's own.
    """
    return _actor(user, run=run, conversation=conversation, key=None)


def actor_once_more(
    user_id: int | None, *, run: str, conversation: str, key_id: int | None
) -> Actor:
    """Return the actor of a request that goes on as a job, with the rights of today.

    Raises `Forbidden` when the person or their key may not act any longer.
    """
    user = User.objects.filter(pk=user_id or 0, is_active=True).first()
    key = ApiKey.objects.unrevoked().filter(pk=key_id or 0).first()
    if user is None or (key_id is not None and key is None):
        raise Forbidden("Who began this may not act any longer.", code="inactive_user")
    return _actor(
        user, run=RunKind(run), conversation=Conversation(conversation), key=key
    )


def actor_for_key(
    key: ApiKey,
    *,
    run: str | None = None,
    conversation: str | None = None,
    user_name: str | None = None,
    identity: str | None = None,
) -> Actor:
    """Return the actor of a request that came with a verified key.

    The texts are what the request's headers say, None where a header is missing; an
    empty header is malformed, so that a gateway's unset variable never falls back to
    the key's owner.

    Raises `BadInput` for malformed headers and `Forbidden` for what the key does not
    allow, for unknown people and for inactive ones.
    """
    run_kind = _choice("X-GoClaw-Run", run, KEY_RUNS) or RunKind.CHAT
    said = _choice("X-GoClaw-Conversation", conversation, tuple(Conversation))
    if run_kind not in key.runs:
        raise Forbidden(
            f"This key is not allowed to act in {run_kind} runs.",
            code="run_not_allowed",
            field="X-GoClaw-Run",
            remedy=f"Send one of the key's run kinds: {', '.join(key.runs)}.",
        )
    person = person_for_key(key, user_name=user_name, identity=identity)
    is_owner = person.pk == key.owner_id
    default = Conversation.DIRECT if is_owner else Conversation.SHARED
    return _actor(person, run=run_kind, conversation=said or default, key=key)


def _actor(
    user: User, *, run: RunKind, conversation: Conversation, key: ApiKey | None
) -> Actor:
    groups = sql.prepared(_GROUPS, user.pk)
    return Actor(
        user_id=user.pk,
        username=user.username,
        is_admin=user.is_active and user.is_superuser,
        group_ids=frozenset(group for (group,) in groups),
        run=run,
        conversation=conversation,
        key_id=key.pk if key else None,
        timezone=user.timezone,
        may_write_db_cache=key is not None and key.may_write_db_cache,
    )


def _choice(
    header: str, text: str | None, allowed: tuple[_Choice, ...]
) -> _Choice | None:
    """Return the member a header names, None without the header."""
    if text is None:
        return None
    for member in allowed:
        if member.value == text.strip():
            return member
    raise BadInput(f"{header} must be one of {', '.join(allowed)}.", field=header)
