"""Payloads in, checked, and records out. What is not known is passed over, as there."""

from typing import Any

from rest_framework import serializers

from goclaw.compat.agentic.tiers import GENERAL, Tier, category_of, tier_of
from goclaw.lib.drf import When
from memory.api.fields import Text
from memory.models import Memory
from memory.search.types import MAX_QUERY_CHARS

Input = serializers.Serializer[Any]


class Category(serializers.CharField):
    """A word of up to 40 characters; any is taken."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=40, **kwargs)


class StoreInput(Input):
    """Something to remember."""

    content = Text()
    tier = serializers.ChoiceField(
        [tier.value for tier in Tier], required=False, allow_null=True
    )
    category = Category(required=False, default=GENERAL)
    importance = serializers.IntegerField(
        required=False, default=5, min_value=1, max_value=10
    )
    tags = serializers.ListField(
        child=serializers.CharField(max_length=64),
        required=False,
        default=list,
        max_length=50,
    )
    source = serializers.CharField(  # type: ignore[assignment]  # DRF's own name
        required=False, allow_blank=True, default="", max_length=200
    )
    source_ref = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=500
    )
    domain = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=64
    )
    key = Text(required=False, default="")
    value = serializers.JSONField(required=False, allow_null=True, default=None)
    expires_at = When(required=False, allow_null=True, default=None)
    scope = Text(
        required=False,
        allow_null=True,
        default=None,
        help_text="Ours: where it goes; personal, or agent_notes in autonomous runs.",
    )


class ListInput(Input):
    """Which records to list."""

    limit = serializers.IntegerField(
        required=False, default=20, min_value=1, max_value=50
    )
    category = Category(required=False)


class SearchInput(Input):
    """A question with filters."""

    query = serializers.CharField(max_length=MAX_QUERY_CHARS, trim_whitespace=False)
    max_results = serializers.IntegerField(
        required=False, default=5, min_value=1, max_value=20
    )
    tiers = serializers.ListField(
        child=serializers.ChoiceField([tier.value for tier in Tier]),
        required=False,
        default=lambda: [Tier.VECTOR.value, Tier.FACT.value],
    )
    categories = serializers.ListField(
        child=Category(), required=False, allow_null=True, default=list
    )
    min_importance = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=10
    )
    include_archived = serializers.BooleanField(required=False, default=False)
    token_budget = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=1_000_000
    )


class RecallInput(Input):
    """What the conversation is about, if anything."""

    context = serializers.CharField(  # type: ignore[assignment]  # DRF's own name
        required=False, allow_blank=True, allow_null=True, max_length=MAX_QUERY_CHARS
    )


class FactInput(Input):
    """A fact to set."""

    domain = serializers.CharField(max_length=64)
    key = Text()
    value = serializers.JSONField()
    source = serializers.CharField(  # type: ignore[assignment]  # DRF's own name
        required=False, allow_blank=True, default="", max_length=200
    )
    confidence = serializers.FloatField(
        required=False, default=1.0, min_value=0, max_value=1
    )
    expires_at = When(required=False, allow_null=True, default=None)
    scope = Text(required=False, allow_null=True, default=None)


class FactFilters(Input):
    """Which facts to list."""

    domain = serializers.CharField(required=False, max_length=64)
    key = serializers.CharField(required=False, max_length=128)
    search = serializers.CharField(required=False, max_length=1000)


class MessageInput(Input):
    """One message of a conversation."""

    role = serializers.ChoiceField(["user", "assistant", "system", "tool"])
    content = Text(allow_null=True)


class CompactInput(Input):
    """A conversation to summarise."""

    messages = serializers.ListField(child=MessageInput(), max_length=2000)
    max_summary_tokens = serializers.IntegerField(
        required=False, default=2000, min_value=200, max_value=8000
    )
    msg_threshold = serializers.IntegerField(required=False, default=20, min_value=0)
    token_threshold = serializers.IntegerField(
        required=False, default=6000, min_value=0
    )
    force = serializers.BooleanField(required=False, default=False)


class ExtractInput(Input):
    """A conversation to learn from."""

    messages = serializers.ListField(child=MessageInput(), max_length=2000)
    last_extract_index = serializers.IntegerField(
        required=False, default=0, min_value=0
    )
    token_threshold = serializers.IntegerField(
        required=False, default=3000, min_value=0
    )
    msg_threshold = serializers.IntegerField(required=False, default=10, min_value=0)
    force = serializers.BooleanField(required=False, default=False)
    auto_store = serializers.BooleanField(required=False, default=True)


def memory_json(memory: Memory, *, uses: int = 0) -> dict[str, Any]:
    """Return a record in a list."""
    return {
        "id": str(memory.uid),
        "content": memory.content,
        "summary": None,
        "category": category_of(memory),
        "tags": memory.tag_names(),
        "importance": memory.importance,
        "access_count": uses,
        "tier": tier_of(memory).value,
        "source": memory.metadata.get("source", ""),
        "source_ref": memory.metadata.get("source_ref", ""),
        "created_at": memory.created_at.isoformat(),
        "expires_at": memory.expires_at and memory.expires_at.isoformat(),
        "is_archived": memory.is_superseded,
    }


def fact_json(memory: Memory) -> dict[str, Any]:
    """Return a fact."""
    return {
        "id": str(memory.uid),
        "domain": memory.domain,
        "key": memory.key,
        "value": memory.content if memory.value is None else memory.value,
        "confidence": memory.metadata.get("confidence", 1.0),
        "source": memory.metadata.get("source", ""),
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "expires_at": memory.expires_at and memory.expires_at.isoformat(),
        "is_active": True,
    }
