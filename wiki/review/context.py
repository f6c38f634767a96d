"""What else a reviewer may want to know about a draft."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accounts.actors import Actor
from memory.models import Memory, ReviewItem, ReviewState
from memory.models import Revision as Decision
from wiki.models import PageDraft, Revision
from wiki.review.sources import records_of
from wiki.review.structure import from_json

SHOWN = 8
"""Of each kind, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The page's revisions, drafts refused before, and decisions about its facts."""

    history: Sequence[Revision]
    refused: Sequence[PageDraft]
    decisions: Sequence[Decision]


def context_of(actor: Actor, item: ReviewItem) -> Context:
    """Return what surrounds a draft, newest first."""
    draft: PageDraft = item.draft
    history = Revision.objects.filter(page=draft.page_id).listed().order_by("-number")
    refused = PageDraft.objects.filter(
        slug=draft.slug, item__state__in=(ReviewState.REJECTED, ReviewState.UNDONE)
    )
    considered = from_json(draft.structure).considered
    return Context(
        history=list(history[:SHOWN]) if draft.page_id else [],
        refused=list(
            refused.exclude(item=item)
            .select_related("item__decided_by")
            .defer("body", "structure")
            .order_by("-item__decided_at")[:SHOWN]
        ),
        decisions=_decisions_about(actor, considered),
    )


def _decisions_about(actor: Actor, uids: Iterable[str]) -> list[Decision]:
    """Return what was decided about records; each side has an index of its own."""
    touched = list(records_of(uids).values_list("pk", flat=True))
    decided = Decision.objects.readable_by(actor).decisions()
    rows = decided.select_related("memory", "replacement", "actor")
    rows = rows.order_by("-created_at", "-id")
    retired = rows.filter(memory__in=touched)[:SHOWN]
    replacing = rows.filter(replacement__in=touched)[:SHOWN]
    found = {row.pk: row for row in (*retired, *replacing)}
    newest = sorted(found.values(), key=lambda row: (row.created_at, row.pk))
    return newest[::-1][:SHOWN]


def who_said(memory: Memory) -> str:
    """Return where a record came from, for people: a name, or what made it."""
    if memory.created_by:
        return memory.created_by.get_full_name() or memory.created_by.username
    return str(memory.get_origin_display())
