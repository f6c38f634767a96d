"""Serializers of sessions and messages, in and out."""

from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers

from goclaw.lib.drf import StrictSerializer, When
from memory.api.fields import AgentName, Text
from memory.api.search import DegradedOutput, Question
from memory.models import Message, Session
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS
from memory.sessions.drafts import MAX_MESSAGES_AT_ONCE, MessageDraft, SessionDraft
from memory.sessions.portability import MAX_HISTORY, SessionFile
from memory.sessions.searching import MessageHit, MessagesFound
from memory.sessions.window import MAX_MESSAGES, Window


class SessionInput(StrictSerializer):
    """A session to open."""

    agent = Text(required=False, allow_null=True, default=None)
    conversation = Text(
        required=False,
        default="",
        help_text="The gateway's own name of it: opened again, it is the same session.",
    )
    kind = Text(
        required=False,
        allow_null=True,
        default=None,
        help_text="direct or shared; by default as X-GoClaw-Conversation says.",
    )
    participants = serializers.ListField(
        child=Text(),
        required=False,
        default=list,
        help_text="Usernames or channel:account:sender, beside the acting person.",
    )
    title = Text(required=False, default="")
    confirmed = serializers.BooleanField(required=False, default=True)
    variables = serializers.DictField(required=False, default=dict)


class SessionChanges(StrictSerializer):
    """What to change of a session; what is left out stays as it is."""

    title = Text(required=False)
    variables = serializers.DictField(
        required=False, help_text="Merged by name; null takes one away."
    )
    participants = serializers.ListField(
        child=Text(), required=False, help_text="Added to those who take part."
    )


class MessageInput(StrictSerializer):
    """A message to append."""

    role = Text(help_text="user, assistant, system or tool.")
    content = Text(required=False, default="")
    speaker = Text(
        required=False,
        allow_null=True,
        default=None,
        help_text="Username of the participant who said it.",
    )
    name = Text(required=False, default="")
    client_id = Text(
        required=False, default="", help_text="By which it is stored once."
    )
    tool_name = Text(required=False, default="")
    tool_call_id = Text(required=False, default="")
    tool_calls = serializers.ListField(
        child=serializers.DictField(), required=False, default=list
    )
    created_at = When(required=False, allow_null=True, default=None)


class MessagesInput(StrictSerializer):
    """Messages to append, oldest first."""

    messages = serializers.ListField(
        child=MessageInput(), min_length=1, max_length=MAX_MESSAGES_AT_ONCE
    )


class WindowInput(StrictSerializer):
    """How much of a conversation is wanted."""

    max_messages = serializers.IntegerField(
        required=False, default=50, min_value=1, max_value=MAX_MESSAGES
    )
    max_tokens = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=2**31 - 1
    )


class Moment(When):
    """A time as text, or as the milliseconds since 1970 that JavaScript counts."""

    def to_internal_value(self, value: Any) -> datetime:
        """Take numbers as milliseconds."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return datetime.fromtimestamp(value / 1000, UTC)
            except (OverflowError, OSError, ValueError):
                self.fail("overflow")
        return super().to_internal_value(value)


class MetadataInput(StrictSerializer):
    """When a conversation took place."""

    created = Moment(required=False, allow_null=True, default=None)
    lastActive = Moment(required=False, allow_null=True, default=None)


class ContextInput(StrictSerializer):
    """What else belonged to a conversation."""

    variables = serializers.DictField(required=False, default=dict)


class ImportInput(StrictSerializer):
    """A conversation from elsewhere, as an export gives it."""

    id = Text(help_text="Names the conversation; a UUID becomes the session's id.")
    history = serializers.ListField(child=MessageInput(), max_length=MAX_HISTORY)
    context = ContextInput(  # type: ignore[assignment]  # a field, not DRF's property
        required=False, default=dict
    )
    metadata = MetadataInput(required=False, default=dict)
    agent = Text(required=False, allow_null=True, default=None)
    kind = Text(required=False, allow_null=True, default=None)
    participants = serializers.ListField(child=Text(), required=False, default=list)


def import_of(data: dict[str, Any]) -> tuple[SessionDraft, SessionFile]:
    """Return what a checked `ImportInput` says."""
    variables = data["context"].get("variables", {})
    draft = SessionDraft(
        agent=data["agent"],
        kind=data["kind"],
        participants=data["participants"],
        conversation=data["id"],
        variables=variables,
    )
    return draft, SessionFile(
        id=data["id"],
        history=[MessageDraft(**item) for item in data["history"]],
        created=data["metadata"].get("created"),
        last_active=data["metadata"].get("lastActive"),
    )


class SummaryOutput(serializers.Serializer[Session]):
    """What the trimmed part of a session was about."""

    text = serializers.CharField(source="summary")
    source = serializers.CharField(  # type: ignore[assignment]  # a field as well
        source="summary_source", help_text="model, extractive, or empty without one."
    )
    problem = serializers.CharField(
        source="summary_problem", help_text="Why the model did not write it."
    )


class SessionMetadata(serializers.Serializer[Session]):
    """What also an administrator sees of a session."""

    id = serializers.UUIDField(source="uid")
    agent = serializers.CharField(source="agent.slug")
    kind = serializers.CharField()
    participants = serializers.SerializerMethodField()
    confirmed = serializers.BooleanField()
    messages = serializers.IntegerField(
        source="message_count", help_text="That are not trimmed."
    )
    trimmed = serializers.IntegerField(source="trimmed_to")
    tokens = serializers.IntegerField()
    trimming = serializers.BooleanField(source="is_being_trimmed")
    created_at = serializers.DateTimeField()
    last_active_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)

    def get_participants(self, session: Session) -> list[str]:
        """Return the usernames in order (uses a prefetch)."""
        return sorted(person.username for person in session.participants.all())


class SessionOutput(SessionMetadata):
    """A session as those who take part in it see it."""

    conversation = serializers.CharField()
    title = serializers.CharField()
    variables = serializers.DictField()
    summary = SummaryOutput(source="*")


class MessageOutput(serializers.Serializer[Message]):
    """A message as it was sent."""

    position = serializers.IntegerField()
    role = serializers.CharField()
    content = serializers.CharField()
    speaker = serializers.CharField(
        source="speaker.username", default=None, allow_null=True
    )
    name = serializers.CharField()
    client_id = serializers.CharField()
    tool_name = serializers.CharField()
    tool_call_id = serializers.CharField()
    tool_calls = serializers.ListField(child=serializers.DictField())
    tokens = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class AcceptedOutput(serializers.Serializer[Any]):
    """Where a message stands."""

    position = serializers.IntegerField()
    client_id = serializers.CharField()
    deduplicated = serializers.BooleanField()


class AppendedOutput(serializers.Serializer[Any]):
    """What became of the messages, in the order of the input."""

    results = AcceptedOutput(many=True)


class WindowOutput(serializers.Serializer[Window]):
    """The newest messages, oldest first, and the summary of what was trimmed."""

    summary = SummaryOutput(source="session")
    messages = MessageOutput(many=True)
    tokens = serializers.IntegerField(help_text="Of these messages, estimated.")
    skipped = serializers.IntegerField(
        help_text="Messages between the trimmed part and these."
    )


class MessageSearchInput(StrictSerializer):
    """What is asked of conversations."""

    query = Question(
        max_length=MAX_QUERY_CHARS, trim_whitespace=False, allow_blank=True
    )
    max_results = serializers.IntegerField(
        required=False, default=10, min_value=1, max_value=MAX_RESULTS
    )
    agent = AgentName()


class MessageHitOutput(serializers.Serializer[MessageHit]):
    """A message that answers the question."""

    session = serializers.UUIDField(source="message.session.uid")
    agent = serializers.CharField(source="message.session.agent.slug")
    position = serializers.IntegerField(source="message.position")
    role = serializers.CharField(source="message.role")
    speaker = serializers.CharField(
        source="message.speaker.username", default=None, allow_null=True
    )
    name = serializers.CharField(source="message.name")
    created_at = serializers.DateTimeField(source="message.created_at")
    snippet = serializers.CharField(source="snippet.text")
    matches = serializers.ListField(
        source="snippet.matches",
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="[start, end] of matched words within the snippet.",
    )
    score = serializers.FloatField()
    parts = serializers.SerializerMethodField()

    def get_parts(self, hit: MessageHit) -> dict[str, float | None]:
        """Return where the score comes from, 0 to 1 each."""
        return {"keyword": hit.keyword, "similarity": hit.similarity}


class MessagesFoundOutput(serializers.Serializer[MessagesFound]):
    """The hits, best first."""

    results = MessageHitOutput(source="hits", many=True)
    degraded = DegradedOutput(allow_null=True)
