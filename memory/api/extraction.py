"""`/api/memory/extract`: learn from messages that are handed over with the request."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.session_fields import MessageInput
from memory.sessions.drafts import MAX_MESSAGES_AT_ONCE, MessageDraft
from memory.sessions.extracting_now import Told, keep, listen


class ExtractInput(StrictSerializer):
    """Messages to learn from, oldest first."""

    messages = serializers.ListField(
        child=MessageInput(), min_length=1, max_length=MAX_MESSAGES_AT_ONCE
    )
    confirmed = serializers.BooleanField(
        required=False, default=True, help_text="Whether it is certain who speaks."
    )


class LearnedOutput(serializers.Serializer[Any]):
    """A record, and what became of the statement: stored, or what was there already."""

    id = serializers.UUIDField(source="uid")
    scope = serializers.CharField()
    kind = serializers.CharField()
    domain = serializers.CharField()
    content = serializers.CharField()


class ExtractOutput(serializers.Serializer[Any]):
    """What was learned, and what was found but not taken, by reason."""

    learned = LearnedOutput(many=True)
    dropped = serializers.DictField(child=serializers.IntegerField())


class ExtractView(APIView):
    """Learning without a session."""

    @extend_schema(
        operation_id="extract",
        request=ExtractInput,
        responses={
            200: ExtractOutput,
            400: ErrorOutput,
            403: ErrorOutput,
            413: ErrorOutput,
            503: ErrorOutput,
        },
        parameters=[KEY],
    )
    def post(self, request: ApiRequest) -> Response:
        """Learn what the acting person says in some messages."""
        data = body_of(request, ExtractInput)
        drafts = [MessageDraft(**item) for item in data["messages"]]
        told = listen(actor=request.actor, drafts=drafts)
        return self._keep(request, told, confirmed=data["confirmed"])

    @idempotent
    def _keep(self, request: ApiRequest, told: Told, *, confirmed: bool) -> Response:
        learned = [
            render(LearnedOutput, memory) | {"outcome": outcome}
            for memory, outcome in keep(told, confirmed=confirmed)
        ]
        return Response({"learned": learned, "dropped": told.dropped})
