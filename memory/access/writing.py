"""Who may write where, and who may change what: verdicts on spaces and records."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.apps import apps

from accounts.actors import Actor
from accounts.kinds import AUTONOMOUS_RUNS, Conversation, RunKind
from memory.access.reading import listed_for
from memory.access.verdicts import YES, Verdict
from memory.scopes import RESERVED_TAGS, WRITABLE_SCOPES, Scope

if TYPE_CHECKING:
    from memory.models import Memory, Space


def can_write(actor: Actor, space: "Space") -> Verdict:
    """Judge whether the actor may write a record into the space."""
    match space.kind:
        case Scope.PERSONAL:
            return _can_write_personal(actor, space)
        case Scope.AGENT_NOTES:
            by_machine = actor.is_autonomous or actor.run is RunKind.SYSTEM
            if by_machine or actor.is_admin or is_listed(actor, space):
                return YES
            return _pointed_to_personal(actor, space)
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
        return _pointed_to_personal(actor, space)
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
            listed_for(actor, "write_space")
        )
        actor.memo[key] = frozenset(listed.values_list("pk", flat=True))
    return space.pk in actor.memo[key]


def _pointed_to_personal(actor: Actor, space: "Space") -> Verdict:
    personal = "Write it to personal instead"
    if actor.conversation is Conversation.SHARED:
        personal = "Say it in a direct conversation, where it goes to personal"
    return Verdict(
        allowed=False,
        reason=f"You are not among the writers of {space.kind}.",
        remedy=f"{personal}, or ask an administrator to list you.",
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
