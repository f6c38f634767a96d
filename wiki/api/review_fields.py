"""Serializers of review items, and what is behind one."""

from typing import Any

from rest_framework import serializers

from accounts.actors import Actor
from goclaw.lib.drf import render
from memory.models import Memory, ReviewItem, ReviewState, Revision
from wiki.api.fields import RevisionRow
from wiki.models import PageDraft
from wiki.review.claims import Claim, claims_of, left_out, text_before
from wiki.review.context import context_of, who_said
from wiki.review.queue import Counts, risk_names
from wiki.review.records import decisions_of


class ItemRow(serializers.Serializer[ReviewItem]):
    """An item in a list."""

    id = serializers.UUIDField(source="uid")
    kind = serializers.CharField()
    state = serializers.CharField()
    reviewed = serializers.SerializerMethodField(help_text="A person has decided.")
    title = serializers.CharField()
    slug = serializers.CharField(source="draft.slug", default=None, allow_null=True)
    domain = serializers.CharField()
    via = serializers.CharField(help_text="What made or decided it.")
    agent = serializers.CharField()
    run = serializers.CharField()
    risks = serializers.SerializerMethodField()
    added = serializers.IntegerField(help_text="Lines it adds.")
    removed = serializers.IntegerField(help_text="Lines it takes away.")
    facts = serializers.IntegerField(help_text="Records behind it.")
    unsourced = serializers.IntegerField(help_text="Sentences without a record.")
    content_hash = serializers.CharField(help_text="Send it with a decision.")
    base_revision = serializers.IntegerField(
        source="draft.base_number",
        default=None,
        allow_null=True,
        help_text="Send it with an approval; 0 for a new page.",
    )
    created_at = serializers.DateTimeField()
    queued_at = serializers.DateTimeField(help_text="Later if it was put off.")
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_by = serializers.CharField(
        source="decided_by.username", default=None, allow_null=True
    )
    reason = serializers.CharField()

    def get_reviewed(self, item: ReviewItem) -> bool:
        """Say whether it was approved, refused or undone."""
        return item.state not in {ReviewState.PENDING, ReviewState.OUTDATED}

    def get_risks(self, item: ReviewItem) -> list[str]:
        """Return the names of its flags."""
        return risk_names(item.risks)


class CountsOutput(serializers.Serializer[Counts]):
    """How much waits, whatever the list was narrowed to."""

    pending = serializers.IntegerField(source="total")
    by_kind = serializers.DictField(child=serializers.IntegerField())
    risky = serializers.IntegerField()


class SourceOutput(serializers.Serializer[Any]):
    """A record behind a sentence, or one that was decided about."""

    id = serializers.UUIDField(source="uid")
    scope = serializers.CharField()
    content = serializers.CharField()
    said_by = serializers.SerializerMethodField()
    observed_at = serializers.DateTimeField()
    superseded = serializers.BooleanField(source="is_superseded")
    forgotten = serializers.BooleanField(source="is_forgotten")

    def get_said_by(self, memory: Memory) -> str:
        """Return where it came from."""
        return who_said(memory)


class ClaimOutput(serializers.Serializer[Claim]):
    """A sentence of a draft."""

    section = serializers.CharField()
    text = serializers.CharField()
    status = serializers.CharField(
        help_text="sourced, unsourced, differs (a value that its records do not have)"
        " or edited (a person's)."
    )
    new = serializers.BooleanField(help_text="The page does not have it yet.")
    facts = serializers.SerializerMethodField()
    missing = serializers.IntegerField(help_text="Records that are gone for good.")
    strange = serializers.ListField(
        child=serializers.CharField(), help_text="Values that no cited record has."
    )
    against = serializers.SerializerMethodField(
        help_text="Live records that cannot be true beside it."
    )

    def get_against(self, claim: Claim) -> list[dict[str, Any]]:
        """Return the records that say otherwise."""
        return [render(SourceOutput, source.memory) for source in claim.against]

    def get_facts(self, claim: Claim) -> list[dict[str, Any]]:
        """Return the records behind it."""
        return [render(SourceOutput, source.memory) for source in claim.sources]


class PageDraftOutput(serializers.Serializer[PageDraft]):
    """What an approval would publish, and what the page says now."""

    slug = serializers.CharField()
    title = serializers.CharField()
    body = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    current_revision = serializers.IntegerField(source="base_number")
    current_body = serializers.SerializerMethodField()
    published_revision = serializers.IntegerField(
        source="published.number", default=None, allow_null=True
    )
    left_out = serializers.SerializerMethodField(
        help_text="Records that it was made from and does not cite."
    )

    def get_current_body(self, draft: PageDraft) -> str:
        """Return what the page says without it."""
        return text_before(draft)

    def get_left_out(self, draft: PageDraft) -> int:
        """Return how many records no sentence cites."""
        return left_out(draft)


class DecisionOutput(serializers.Serializer[Revision]):
    """A record that was replaced, by which, and why."""

    id = serializers.UUIDField(source="uid")
    old = SourceOutput(source="memory")
    new = SourceOutput(source="replacement", allow_null=True)
    via = serializers.CharField()
    reason = serializers.CharField()
    model = serializers.CharField()
    words = serializers.CharField(help_text="What the model said.")
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class RefusedOutput(serializers.Serializer[PageDraft]):
    """An earlier draft of the page that somebody refused."""

    id = serializers.UUIDField(source="item.uid")
    reason = serializers.CharField(source="item.reason")
    decided_at = serializers.DateTimeField(source="item.decided_at")
    decided_by = serializers.CharField(
        source="item.decided_by.username", default=None, allow_null=True
    )


class ItemOutput(ItemRow):
    """An item with all that is behind it; a draft has `page`, records `decisions`."""

    page = PageDraftOutput(allow_null=True)
    claims = ClaimOutput(many=True)
    decisions = DecisionOutput(many=True)
    history = RevisionRow(many=True)
    refused = RefusedOutput(many=True)
    touching = DecisionOutput(many=True, help_text="Decisions about its records.")


def detail_of(actor: Actor, item: ReviewItem) -> dict[str, Any]:
    """Return an item in the shape of `ItemOutput`."""
    found: dict[str, Any] = render(ItemRow, item)
    empty: dict[str, Any] = {
        name: [] for name in ("claims", "decisions", "history", "refused", "touching")
    }
    found |= empty | {"page": None}
    if not item.is_page:
        decisions = decisions_of(item)
        return found | {"decisions": [render(DecisionOutput, d) for d in decisions]}
    around = context_of(actor, item)
    return found | {
        "page": render(PageDraftOutput, item.draft),
        "claims": [render(ClaimOutput, claim) for claim in claims_of(item.draft)],
        "history": [render(RevisionRow, revision) for revision in around.history],
        "refused": [render(RefusedOutput, one) for one in around.refused],
        "touching": [render(DecisionOutput, one) for one in around.decisions],
    }
