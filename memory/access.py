"""THE permission module: who reads which records, and who may write where.

Reads are a `Q` on the spaces an actor may read; writes are a verdict. Guardian answers
one question only, who has been listed for a space, and its shortcuts for superusers and
model permissions are never asked: nobody but the owner reads a personal space.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.apps import apps
from django.db.models import BigIntegerField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.lookups import In

from accounts.actors import Actor
from accounts.kinds import AUTONOMOUS_RUNS, Conversation, RunKind
from goclaw.lib import sql
from goclaw.lib.config import wiki_config
from goclaw.lib.errors import Forbidden
from memory.scopes import RESERVED_TAGS, WRITABLE_SCOPES, Scope

if TYPE_CHECKING:
    from memory.models import Memory, Space


@dataclass(frozen=True, slots=True)
class Verdict:
    """Yes, or no with a reason and a remedy."""

    allowed: bool
    reason: str = ""
    remedy: str = ""

    def __bool__(self) -> bool:
        return self.allowed

    def require(self) -> None:
        """Raise `Forbidden` with the reason and the remedy, unless it is a yes."""
        if not self.allowed:
            raise Forbidden(self.reason, remedy=self.remedy or None)


YES = Verdict(allowed=True)


# --- reading -------------------------------------------------------------------------
def readable(actor: Actor, prefix: str = "", *, indexed: bool = True) -> Q:
    """Return the filter of what lives in a space the actor may read.

    `prefix` leads from the filtered model to the one that carries `space_id`. Without
    `indexed` the space is a term of a sum: it cannot lure SQLite into walking whole
    spaces where another index finds a few rows, or has them in order.
    """
    ids = readable_space_ids(actor)
    if indexed:
        return Q(**{f"{prefix}space_id__in": ids})
    place = ExpressionWrapper(F(f"{prefix}space_id") + 0, BigIntegerField())
    return Q(In(place, ids))


def live(now: datetime, prefix: str = "") -> Q:
    """Return the filter of records that are neither forgotten nor expired."""
    return Q(**{f"{prefix}forgotten_at__isnull": True}) & (
        Q(**{f"{prefix}expires_at__isnull": True})
        | Q(**{f"{prefix}expires_at__gt": now})
    )


def readable_space_ids(actor: Actor) -> frozenset[int]:
    """Return the ids of the spaces the actor may read, asked for once per actor."""
    key = "memory.readable_space_ids"
    if key not in actor.memo:
        actor.memo[key] = frozenset(_readable_space_ids(actor))
    found: frozenset[int] = actor.memo[key]
    return found


_SPACES = """
SELECT id, kind, path FROM memory_spaces WHERE owner_id IS NULL OR owner_id = %s
"""


def _readable_space_ids(actor: Actor) -> set[int]:
    spaces: QuerySet[Space] = apps.get_model("memory", "Space").objects.all()
    if not actor.is_authenticated:
        return _open_to_anybody(spaces)
    rows = sql.rows(_SPACES, actor.user_id if reads_personal(actor) else None)
    hidden = set() if can_administrate(actor) else {Scope.AGENT_CONFIG}
    readable = {pk for pk, kind, path in rows if not path and kind not in hidden}
    if any(path for _, _, path in rows):
        grants = _listed(actor, "view_space") | _listed(actor, "write_space")
        listed = spaces.filter(Q(path__gt="") & grants)
        readable |= set(listed.values_list("pk", flat=True))
    return readable


def _open_to_anybody(spaces: "QuerySet[Space]") -> set[int]:
    """Return what visitors read who have not signed in: the wiki, by a setting."""
    if not wiki_config().anonymous_reading:
        return set()
    return set(spaces.filter(kind=Scope.WIKI, path="").values_list("pk", flat=True))


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


def _listed(actor: Actor, codename: str) -> Q:
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


# --- writing -------------------------------------------------------------------------
def can_write(actor: Actor, space: "Space") -> Verdict:
    """Judge whether the actor may write a record into the space."""
    match space.kind:
        case Scope.PERSONAL:
            return _can_write_personal(actor, space)
        case Scope.AGENT_NOTES:
            by_machine = actor.is_autonomous or actor.run is RunKind.SYSTEM
            if by_machine or actor.is_admin or is_listed(actor, space):
                return YES
            return _pointed_to_personal(space)
        case Scope.GLOBAL | Scope.AGENT_CONFIG:
            return _can_write_standing(actor, space)
        case Scope.DB_CACHE:
            if actor.may_write_db_cache:
                return YES
            return Verdict(
                allowed=False,
                reason="Only keys with may_write_db_cache write schema notes.",
                remedy="Ask an administrator for such a key.",
            )
    if actor.run is RunKind.SYSTEM:
        return YES
    return Verdict(
        allowed=False,
        reason=f"The scope {space.kind} is written by the system only.",
        remedy=f"Write to one of {', '.join(WRITABLE_SCOPES)} instead.",
    )


def can_write_daily_notes(actor: Actor, agent_notes: "Space") -> Verdict:
    """Judge whether the actor may append to daily notes: writers of `agent_notes`.

    Webhooks bring text from outside, and these files are in every search.
    """
    if actor.run is RunKind.WEBHOOK:
        return Verdict(
            allowed=False,
            reason="Webhook runs do not write daily notes.",
            remedy="Write a record to agent_notes instead.",
        )
    return can_write(actor, agent_notes)


def _can_write_personal(actor: Actor, space: "Space") -> Verdict:
    if actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason="Autonomous runs never write personal records.",
            remedy="Write to agent_notes instead.",
        )
    if actor.conversation is Conversation.SHARED:
        return Verdict(
            allowed=False,
            reason="A shared conversation stores no personal records.",
            remedy="Say so in a direct conversation, or send"
            " X-GoClaw-Conversation: direct if it is one.",
        )
    if actor.user_id is None or space.owner_id != actor.user_id:
        return Verdict(allowed=False, reason="This is not your personal space.")
    return YES


def _can_write_standing(actor: Actor, space: "Space") -> Verdict:
    """Judge writes to what becomes a standing instruction or everybody's knowledge."""
    if actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason=f"Autonomous runs never write {space.kind}:"
            " outside input must not become a standing instruction.",
            remedy="Write to agent_notes instead.",
        )
    if is_listed(actor, space):
        return YES
    if not actor.is_admin:
        return _pointed_to_personal(space)
    if space.kind == Scope.AGENT_CONFIG or not space.listed_writers_enabled:
        return YES
    return Verdict(
        allowed=False,
        reason="Only listed users and groups write global records.",
        remedy="List yourself, or switch the list off, on the space's page in the"
        f" admin: /admin/memory/space/{space.pk}/change/",
    )


def is_listed(actor: Actor, space: "Space") -> bool:
    """Say whether the actor is a listed writer of the space, while listing counts."""
    if not space.listed_writers_enabled:
        return False
    key = "memory.listed_space_ids"
    if key not in actor.memo:
        listed = apps.get_model("memory", "Space").objects.filter(
            _listed(actor, "write_space")
        )
        actor.memo[key] = frozenset(listed.values_list("pk", flat=True))
    return space.pk in actor.memo[key]


def _pointed_to_personal(space: "Space") -> Verdict:
    return Verdict(
        allowed=False,
        reason=f"You are not among the writers of {space.kind}.",
        remedy="Write it to personal instead, or ask an administrator to list you.",
    )


def can_change(actor: Actor, memory: "Memory") -> Verdict:
    """Judge whether the actor may edit, tag, forget or restore the record."""
    verdict = can_write(actor, memory.space)
    if not verdict:
        return verdict
    if actor.is_autonomous and memory.run_kind not in AUTONOMOUS_RUNS:
        return Verdict(
            allowed=False,
            reason="An autonomous run changes only what an autonomous run wrote.",
            remedy="Write a new record; a person can retire the old one.",
        )
    return YES


def can_take_back(actor: Actor, memory: "Memory") -> Verdict:
    """Judge whether the actor may undo what was decided about the record."""
    if actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason="Autonomous runs take no decision back.",
            remedy="Ask an administrator.",
        )
    return can_change(actor, memory)


def can_set_tags(actor: Actor, space: "Space", names: Iterable[str]) -> Verdict:
    """Judge whether the actor may set or clear these tags in the space."""
    reserved = sorted(RESERVED_TAGS & set(names))
    if not reserved or actor.run is RunKind.SYSTEM:
        return YES
    if not actor.is_autonomous and (actor.is_admin or is_listed(actor, space)):
        return YES
    return Verdict(
        allowed=False,
        reason=f"The tag {reserved[0]} is set and cleared by administrators and"
        " listed writers only.",
        remedy="Leave the tag out.",
    )


def can_append(actor: Actor) -> Verdict:
    """Judge whether the actor may open sessions and append to those it reads."""
    if actor.key_id is not None and actor.run is RunKind.CHAT:
        return YES
    if actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason="Autonomous runs have no part in anybody's conversation.",
            remedy="Write what is worth keeping to agent_notes.",
        )
    return Verdict(
        allowed=False,
        reason="Messages come from a gateway, by its key.",
        remedy="Send them with an API key that acts for a participant.",
    )


def can_teach(actor: Actor) -> Verdict:
    """Judge whether anything is learned from what is said to the actor's agent."""
    if actor.user_id is not None and actor.run in {RunKind.HUMAN, RunKind.CHAT}:
        return YES
    return Verdict(
        allowed=False,
        reason="Nothing is learned from autonomous runs: no person speaks in them.",
        remedy="Write what is worth keeping to agent_notes.",
    )


def can_command(actor: Actor, scope: str, *, confirmed: bool) -> Verdict:
    """Judge whether a message of the actor may write to the scope by its prefix.

    Being listed is not enough: a prefix is easily said, or put into somebody's mouth.
    """
    if not actor.is_admin or actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason=f"Only administrators write to {scope} by a prefix.",
            remedy="Say it without the prefix, or ask an administrator.",
        )
    if not confirmed:
        return Verdict(
            allowed=False,
            reason="It is not certain who speaks in this session.",
            remedy="Confirm the session first.",
        )
    return YES


def can_consolidate(actor: Actor) -> Verdict:
    """Judge whether the actor may have old notes taken into `Memory.md`.

    Webhooks bring text from outside, and must not decide what everybody's prompt says.
    """
    if actor.run in {RunKind.SOP, RunKind.CRON}:
        return YES
    verdict = can_administrate(actor)
    if verdict:
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators, and sop and cron runs, consolidate memory.",
        remedy=verdict.remedy,
    )


def can_purge(actor: Actor) -> Verdict:
    """Judge whether the actor may delete at once what can still be restored."""
    if can_administrate(actor):
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators purge at once.",
        remedy="Forget it; after 30 days a job purges it.",
    )


def can_administrate(actor: Actor) -> Verdict:
    """Judge whether the actor is an administrator at work, or the system itself.

    Autonomous runs work on outside input, and a shared conversation has other readers:
    they get nothing of what only administrators see and do, whoever they act for.
    """
    alone = actor.conversation is Conversation.DIRECT
    at_work = actor.is_admin and alone and not actor.is_autonomous
    if at_work or actor.run is RunKind.SYSTEM:
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators may do that, in the browser or in a direct"
        " conversation.",
        remedy="Ask an administrator.",
    )
