"""Who reads which records: a `Q` on the spaces that an actor may read.

Guardian answers one question only, who has been listed for a space, and its shortcuts
for superusers and model permissions are never asked: nobody but the owner reads a
personal space.
"""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.apps import apps
from django.db.models import BigIntegerField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.lookups import In

from accounts.actors import Actor
from accounts.kinds import Conversation, RunKind
from goclaw.lib import sql
from goclaw.lib.config import wiki_config
from memory.access.verdicts import can_administrate
from memory.scopes import Scope

if TYPE_CHECKING:
    from memory.models import Space


def readable(
    actor: Actor,
    prefix: str = "",
    *,
    indexed: bool = True,
    scopes: Collection[str] = (),
) -> Q:
    """Return the filter of what lives in a space the actor may read.

    With `scopes` only in spaces of these: a record's scope is that of its space.
    `prefix` leads from the filtered model to the one that carries `space_id`; without
    `indexed` no index on the space is used (see `in_spaces`).
    """
    ids = readable_space_ids(actor, scopes)
    return (
        in_spaces(ids, prefix) if not indexed else Q(**{f"{prefix}space_id__in": ids})
    )


def in_spaces(ids: frozenset[int], prefix: str = "") -> Q:
    """Return the filter of what lives in the spaces, by no index on the space.

    As a term of a sum the space cannot lure SQLite into walking whole spaces where
    another index finds a few rows, or has them in order.
    """
    place = ExpressionWrapper(F(f"{prefix}space_id") + 0, BigIntegerField())
    return Q(In(place, ids))


def live(now: datetime, prefix: str = "") -> Q:
    """Return the filter of records that are neither forgotten nor expired."""
    return Q(**{f"{prefix}forgotten_at__isnull": True}) & (
        Q(**{f"{prefix}expires_at__isnull": True})
        | Q(**{f"{prefix}expires_at__gt": now})
    )


def readable_space_ids(actor: Actor, scopes: Collection[str] = ()) -> frozenset[int]:
    """Return the ids of the spaces the actor may read, of all scopes or of these.

    The spaces are asked for once per actor.
    """
    key = "memory.readable_spaces"
    if key not in actor.memo:
        actor.memo[key] = _readable_spaces(actor)
    found: dict[int, str] = actor.memo[key]
    return frozenset(pk for pk, scope in found.items() if not scopes or scope in scopes)


_SPACES = """
SELECT id, kind, path FROM memory_spaces WHERE owner_id IS NULL OR owner_id = %s
"""


def _readable_spaces(actor: Actor) -> dict[int, str]:
    """Return the scope of each space by its id."""
    spaces: QuerySet[Space] = apps.get_model("memory", "Space").objects.all()
    if not actor.is_authenticated:
        return _open_to_anybody(spaces)
    rows = sql.prepared(_SPACES, actor.user_id if reads_personal(actor) else None)
    hidden = set() if can_administrate(actor) else {Scope.AGENT_CONFIG}
    readable = {pk: kind for pk, kind, path in rows if not path and kind not in hidden}
    if any(path for _, _, path in rows):
        grants = listed_for(actor, "view_space") | listed_for(actor, "write_space")
        listed = spaces.filter(Q(path__gt="") & grants)
        readable |= dict(listed.values_list("pk", "kind"))
    return readable


def _open_to_anybody(spaces: "QuerySet[Space]") -> dict[int, str]:
    """Return what visitors read who have not signed in: the wiki, by a setting."""
    if not wiki_config().anonymous_reading:
        return {}
    return dict(spaces.filter(kind=Scope.WIKI, path="").values_list("pk", "kind"))


def reads_personal(actor: Actor) -> bool:
    """Say whether the actor reads the person's own records at all.

    Autonomous runs work on outside input and shared conversations have other readers.
    """
    return (
        actor.user_id is not None
        and actor.run in {RunKind.HUMAN, RunKind.CHAT}
        and actor.conversation is Conversation.DIRECT
    )


def readable_session_kinds(actor: Actor) -> frozenset[Conversation]:
    """Return the kinds of sessions that the actor reads, of those it takes part in.

    Autonomous runs read none: nobody's conversation is meant for outside input.
    """
    if actor.user_id is None or actor.run not in {RunKind.HUMAN, RunKind.CHAT}:
        return frozenset()
    if reads_personal(actor):
        return frozenset(Conversation)
    return frozenset({Conversation.SHARED})


def listed_for(actor: Actor, codename: str) -> Q:
    """Return the filter of spaces for which the user or one of its groups is listed."""
    granted = {"permission__codename": codename}
    users = apps.get_model("memory", "SpaceUserPermission").objects.filter(
        user_id=actor.user_id, **granted
    )
    groups = apps.get_model("memory", "SpaceGroupPermission").objects.filter(
        group_id__in=actor.group_ids, **granted
    )
    return Q(pk__in=users.values("content_object_id")) | Q(
        pk__in=groups.values("content_object_id")
    )
