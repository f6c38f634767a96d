"""`/api/memory/context`: the memory that goes into a prompt before a turn."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from memory.api.fields import AgentName, ErrorOutput, Text
from memory.context import Context, ContextQuery, Extras, Report, Row, assemble
from memory.drafts import check_json, check_text

MAX_MESSAGE_CHARS = 1_000_000
MAX_EXTRAS = 500
MAX_BUDGET = 10_000_000


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object"}]})
class Extra(serializers.Field[Any, Any, Any, Any]):
    """A text, or an object whose fields are shown."""

    default_error_messages = {"invalid": "This is a text or an object."}

    def to_internal_value(self, data: Any) -> Any:
        """Take what can be shown: texts and objects of JSON."""
        if not isinstance(data, (str, dict)):
            self.fail("invalid")
        if isinstance(data, dict):
            check_json("extras", data)
        else:
            check_text("extras", data, limit=MAX_MESSAGE_CHARS)
        return data

    def to_representation(self, value: Any) -> Any:
        """Give it back as it came."""
        return value


def _extras() -> serializers.ListField:
    return serializers.ListField(
        child=Extra(), required=False, default=list, max_length=MAX_EXTRAS
    )


class ExtrasInput(StrictSerializer):
    """What only the gateway knows; a query with an `error` is left out."""

    datasources = _extras()
    hooks = _extras()
    queries = _extras()


class ContextInput(StrictSerializer):
    """For which turn the memory is wanted."""

    message = Text(help_text="What the person says; it is only searched by.")
    agent = AgentName(help_text="Without it the session's, or the default one.")
    session = serializers.UUIDField(required=False)
    model = Text(required=False, default="", help_text="Decides on `message_role`.")
    budget_chars = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_BUDGET,
        help_text="Of the memory sections together; 0 is no budget.",
    )
    extras = ExtrasInput(required=False)


class RowOutput(serializers.Serializer[Row]):
    """What became of a section: offered = kept + cut + dropped, in characters."""

    number = serializers.IntegerField()
    name = serializers.CharField(help_text="The tag of its block.")
    part = serializers.ChoiceField(["session", "message"])
    in_budget = serializers.BooleanField(
        help_text="Whether it shares the budget, or has a cap of its own."
    )
    items = serializers.IntegerField()
    offered = serializers.IntegerField()
    kept = serializers.IntegerField()
    cut = serializers.IntegerField()
    dropped = serializers.IntegerField()
    size = serializers.IntegerField(help_text="In the prompt, with title and tags.")
    why = serializers.CharField(help_text="Why something is missing.")


class ReportOutput(serializers.Serializer[Report]):
    """What became of each section."""

    budget = serializers.IntegerField()
    session_share = serializers.IntegerField()
    session_used = serializers.IntegerField()
    message_used = serializers.IntegerField()
    sections = RowOutput(many=True)


class ContextOutput(serializers.Serializer[Context]):
    """Two texts for the prompt, and how they came about."""

    message_role = serializers.ChoiceField(["system", "user"])
    session = serializers.CharField(
        help_text="The same for the whole conversation, unless memory changes."
    )
    message = serializers.CharField()
    report = ReportOutput()


class ContextView(APIView):
    """The prompt's memory."""

    @extend_schema(
        operation_id="context",
        request=ContextInput,
        responses={200: ContextOutput, 400: ErrorOutput, 404: ErrorOutput},
    )
    def post(self, request: ApiRequest) -> Response:
        """Assemble the memory for the next turn of a conversation."""
        data = body_of(request, ContextInput)
        check_text("message", data["message"], limit=MAX_MESSAGE_CHARS)
        check_text("model", data["model"], limit=200)
        extras = Extras(**data.pop("extras", {}))
        query = ContextQuery(**data, extras=extras)
        return Response(
            render(ContextOutput, assemble(actor=request.actor, query=query))
        )
