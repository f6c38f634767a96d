"""Serializers of records, in and out; what a request may not set is not in them."""

from typing import Any

from rest_framework import serializers

from goclaw.lib.drf import StrictSerializer, When
from memory.drafts import Draft
from memory.models import Memory
from memory.scopes import SLUG, Kind


class Int32(serializers.IntegerField):
    """A whole number that every database can store."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": -(2**31), "max_value": 2**31 - 1} | kwargs)


class AgentName(serializers.RegexField):
    """The name of an agent; the default one where a request leaves it out."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(rf"^(?:{SLUG.pattern})\Z", required=False, **kwargs)


class Text(serializers.CharField):
    """Text kept as sent: nothing is trimmed, and blank is judged by the service."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, allow_blank=True, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Take strings only: a number or a list is a mistake, not a text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return data

    def run_validators(self, value: Any) -> None:
        """Leave NUL and surrogates to the service, which names them for every door."""


class SequenceField(StrictSerializer):
    """Which records belong together, and in which order."""

    id = Text(
        help_text="Any text of up to 128 characters, such as a conversation's id."
    )
    position = Int32()


class RecordInput(StrictSerializer):
    """A record to write; `content` may be left out where `key` and `value` are."""

    scope = Text(help_text="personal, agent_notes, global or agent_config.")
    content = Text(required=False, default="")
    kind = Text(required=False, default=Kind.NOTE.value)
    domain = Text(required=False, default="")
    key = Text(required=False, default="")
    value = serializers.JSONField(required=False, allow_null=True, default=None)
    title = Text(required=False, default="")
    importance = Int32(required=False, default=5)
    tags = serializers.ListField(child=Text(), required=False, default=list)
    metadata = serializers.DictField(required=False, default=dict)
    observed_at = When(required=False, allow_null=True, default=None)
    expires_at = When(required=False, allow_null=True, default=None)
    sequence = SequenceField(required=False, allow_null=True, default=None)
    force = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Store it although the same text was written within 24 hours.",
    )


class RecordChanges(StrictSerializer):
    """What to change of a record; what is left out stays as it is."""

    content = Text(required=False)
    kind = Text(required=False)
    domain = Text(required=False)
    title = Text(required=False)
    importance = Int32(required=False)
    tags = serializers.ListField(child=Text(), required=False)
    metadata = serializers.DictField(required=False)
    observed_at = When(required=False)
    expires_at = When(required=False, allow_null=True)


class BulkInput(StrictSerializer):
    """Up to 500 records; each answers for itself."""

    records = serializers.ListField(
        child=serializers.JSONField(allow_null=True), min_length=1, max_length=500
    )


def draft_of(data: dict[str, Any]) -> Draft:
    """Return the draft of a checked `RecordInput`."""
    fields = dict(data)
    sequence = fields.pop("sequence") or {}
    return Draft(
        sequence_id=sequence.get("id", ""),
        sequence_position=sequence.get("position"),
        **fields,
    )


class Provenance(serializers.Serializer[Memory]):
    """Where a record came from; written by the service."""

    origin = serializers.CharField()
    run_kind = serializers.CharField()
    tool = serializers.CharField()
    session = serializers.CharField()
    message = serializers.CharField()
    run = serializers.CharField()
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True
    )
    created_by_key = serializers.CharField(
        source="created_by_key.label", default=None, allow_null=True
    )


class IndexStatus(serializers.Serializer[Memory]):
    """How far chunks and vectors are."""

    state = serializers.CharField(source="index_state")
    error = serializers.CharField(source="index_error")


class RecordOutput(serializers.Serializer[Memory]):
    """A record as it is stored."""

    id = serializers.UUIDField(source="uid")
    scope = serializers.CharField()
    kind = serializers.CharField()
    domain = serializers.CharField()
    key = serializers.CharField()
    value = serializers.JSONField()
    title = serializers.CharField()
    content = serializers.CharField()
    tags = serializers.ListField(source="tag_names", child=serializers.CharField())
    importance = serializers.IntegerField()
    metadata = serializers.DictField()
    sequence = serializers.SerializerMethodField()
    agent = serializers.CharField()
    path = serializers.CharField(source="source_key")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    observed_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    forgotten_at = serializers.DateTimeField(allow_null=True)
    superseded = serializers.BooleanField(source="is_superseded")
    superseded_by = serializers.UUIDField(
        source="superseded_by.uid", default=None, allow_null=True
    )
    superseded_at = serializers.DateTimeField(allow_null=True)
    superseded_reason = serializers.CharField(
        default=None, allow_null=True, help_text="In lists only with include_history."
    )
    version = serializers.IntegerField(help_text="Also the ETag; send it as If-Match.")
    provenance = Provenance(source="*")
    index = IndexStatus(source="*")

    def get_sequence(self, memory: Memory) -> dict[str, Any] | None:
        """Return `{id, position}`, or null for a record that stands alone."""
        if not memory.sequence_id:
            return None
        return {"id": memory.sequence_id, "position": memory.sequence_position}


class WrittenOutput(RecordOutput):
    """A record as it was just written."""

    deduplicated = serializers.BooleanField(default=False)
    reason = serializers.CharField(
        default=None, allow_null=True, help_text="Why it was not stored again."
    )


class ErrorDetail(serializers.Serializer[Any]):
    """The inside of an error; codes are stable and listed in the docs."""

    code = serializers.CharField()
    message = serializers.CharField()
    field = serializers.CharField(required=False)
    remedy = serializers.CharField(required=False)
    request_id = serializers.CharField()


class ErrorOutput(serializers.Serializer[Any]):
    """The one shape of every refusal."""

    error = ErrorDetail()
