"""What was learned in a session is certain once it is certain who spoke in it."""

from django.db import transaction

from accounts.actors import Actor, system_actor
from memory.lifecycle.deciding import hold
from memory.lifecycle.learning import ask_judge, revise_by_rules
from memory.lifecycle.rivals import find_rivals
from memory.models import Memory, MemoryTag
from memory.models.memories import MemoryQuerySet
from memory.scopes import LEARNED_KINDS, UNVERIFIED, Origin, Scope


def verify(session: str) -> int:
    """Take the tag from what was learned in a session; return of how many records.

    Call it in the transaction that confirms the session.
    """
    rows = _learned_in(session)
    tags = MemoryTag.objects.filter(memory__in=rows.values("pk"), name=UNVERIFIED)
    return tags.delete()[0]


def revise(session: str, *, run: str) -> int:
    """Let what was learned in a session replace what it could not while unverified.

    Returns how many records were retired.
    """
    retired = 0
    notes = _learned_in(session).live().current()
    for memory in notes.filter(scope=Scope.AGENT_NOTES, kind__in=LEARNED_KINDS):
        retired += _revise(memory, system_actor(), run)
    return retired


def _revise(memory: Memory, actor: Actor, run: str) -> int:
    author = memory.created_by_id
    rivals = find_rivals(memory.space_id, memory.content, author=author)
    with transaction.atomic():
        hold(memory.space_id)
        gone = revise_by_rules(actor=actor, memory=memory, rivals=rivals, run=run)
        ask_judge(memory, rivals)
    return len(gone)


def _learned_in(session: str) -> MemoryQuerySet:
    return Memory.objects.filter(session=session, origin=Origin.EXTRACTION)
