"""Who reviews: people, and only what they could have written themselves.

Drafts of pages go to those who edit that part of the wiki, decisions about records to
those who may write where the records are. For everybody else the items are not there.
"""

from typing import Any

from accounts.actors import Actor
from accounts.kinds import Conversation, RunKind
from goclaw.lib.errors import NotFound
from memory import access
from memory.access import YES, Verdict, in_spaces
from memory.models import ReviewItem, Space
from memory.models.review import ReviewItemQuerySet
from memory.scopes import Scope
from wiki.access import can_edit

_PEOPLE = frozenset({RunKind.HUMAN, RunKind.CHAT})


def can_review(actor: Actor) -> Verdict:
    """Judge whether somebody decides at all: a person, with their own hands."""
    is_person = actor.run is RunKind.HUMAN and actor.key_id is None
    if is_person and actor.user_id is not None:
        return YES
    return Verdict(
        allowed=False,
        reason="Only people review; an API key never does.",
        remedy="Decide it in the browser, at /review/.",
    )


def reviewable_space_ids(actor: Actor) -> frozenset[int]:
    """Return the ids of the spaces whose items are the actor's business.

    A gateway sees those of the person it acts for, in a conversation with them alone.
    """
    alone = actor.conversation is Conversation.DIRECT
    if actor.user_id is None or actor.run not in _PEOPLE or not alone:
        return frozenset()
    key = "wiki.reviewable_space_ids"
    if key not in actor.memo:
        shared = Space.objects.filter(owner=None)
        actor.memo[key] = frozenset(s.pk for s in shared if _may_write(actor, s))
    found: frozenset[int] = actor.memo[key]
    return found


def _may_write(actor: Actor, space: Space) -> Verdict:
    if space.kind == Scope.WIKI:
        return can_edit(actor, space)
    return access.can_write(actor, space)


def items_for(actor: Actor) -> ReviewItemQuerySet:
    """Return the items that the actor may see and, as a person, decide."""
    return ReviewItem.objects.filter(in_spaces(reviewable_space_ids(actor)))


def item_for(actor: Actor, uid: Any) -> ReviewItem:
    """Return one item; raises NotFound, also for what is somebody else's."""
    found = items_for(actor).select_related("space", "decided_by", "draft__page")
    item = found.filter(uid=uid).first()
    if item is None:
        raise no_such_item()
    return item


def no_such_item() -> NotFound:
    """Return the one refusal for items that one cannot have."""
    return NotFound("There is no such item.")
