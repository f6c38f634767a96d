"""`/api/memory/hints`: what helps an agent whose tool has failed."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from memory.api.fields import ErrorOutput, Text
from memory.lifecycle.hints import Hint, hint_for


class HintInput(StrictSerializer):
    """Which tool failed, and what it said."""

    tool = Text()
    error = Text()


class HintOutput(serializers.Serializer[Hint]):
    """A hint for the same turn, if the error is known and the agent can mend it."""

    hint = serializers.CharField(source="text", allow_null=True)
    pattern = serializers.CharField(
        allow_null=True, help_text="Which known error it was; also of faults of others."
    )


class HintsView(APIView):
    """Hints from known errors; nothing is stored, and no model is asked."""

    @extend_schema(
        operation_id="hints",
        request=HintInput,
        responses={200: HintOutput, 400: ErrorOutput},
    )
    def post(self, request: ApiRequest) -> Response:
        """Answer a hint for a tool's error; null where none is known."""
        data: dict[str, Any] = body_of(request, HintInput)
        return Response(render(HintOutput, hint_for(**data)))
