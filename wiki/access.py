"""Who may edit and who may restrict pages. Who reads them is `memory.access.readable`.

A page lives in the wiki's own space, or in that of the nearest restricted section above
it; what is listed for that space decides.
"""

from accounts.actors import Actor
from accounts.kinds import Conversation, RunKind
from memory import access
from memory.access import YES, Verdict
from memory.models import Space
from memory.scopes import Scope
from memory.spaces import WIKI_EDITORS
from wiki import slugs

_EDITING_RUNS = frozenset({RunKind.SOP, RunKind.CRON})


def space_of(slug: str) -> Space:
    """Return the space in which a page of that slug lives."""
    key = slugs.key(slug)
    paths = ["", *slugs.ancestors(key), key]
    found = Space.objects.filter(kind=Scope.WIKI, path__in=paths)
    return max(found, key=lambda space: len(space.path))


def can_edit(actor: Actor, space: Space) -> Verdict:
    """Judge whether the actor may save, move, delete and restore pages of the space.

    The answer about a section that the actor cannot even read does not tell it from one
    that anybody may read.
    """
    if actor.run is RunKind.SYSTEM:
        return YES
    if actor.is_autonomous:
        if actor.run in _EDITING_RUNS and not space.path:
            return YES
        return Verdict(
            allowed=False,
            reason="Of the autonomous runs only sop and cron write pages, and those"
            " only where nothing is restricted.",
            remedy="Write a record to agent_notes instead.",
        )
    readable = space.pk in access.readable_space_ids(actor)
    if readable and (actor.is_admin or access.is_listed(actor, space)):
        return YES
    return Verdict(
        allowed=False,
        reason="You are not among the editors of this part of the wiki.",
        remedy=f"Ask an administrator to add you to the group {WIKI_EDITORS!r}, or to"
        " list you for the restricted section.",
    )


def can_restrict(actor: Actor) -> Verdict:
    """Judge whether the actor may give a section readers and writers of its own."""
    alone = actor.conversation is Conversation.DIRECT
    if actor.is_admin and alone and not actor.is_autonomous:
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators restrict sections, in the browser or in a direct"
        " conversation.",
        remedy="Ask an administrator.",
    )


def editable_space_ids(actor: Actor) -> frozenset[int]:
    """Return the ids of the spaces whose pages the actor may edit."""
    ids = access.readable_space_ids(actor)
    found = Space.objects.filter(kind=Scope.WIKI, pk__in=ids)
    return frozenset(space.pk for space in found if can_edit(actor, space))
