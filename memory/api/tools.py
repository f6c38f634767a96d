"""`/api/tools`: the tools for agents, listed and run."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, error_body
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.tools import SHAPES, call, catalogue


class OwnFormat(DefaultContentNegotiation):
    """Leaves the parameter `format` to the view."""

    def filter_renderers(
        self, renderers: Iterable[BaseRenderer], format: str
    ) -> list[BaseRenderer]:
        """Keep all: `format` speaks of tools here, not of JSON."""
        return list(renderers)


class CatalogueInput(StrictSerializer):
    """For which API the tools are listed."""

    format = serializers.ChoiceField(sorted(SHAPES), required=False, default="openai")


class CatalogueOutput(serializers.Serializer[Any]):
    """The tools that the actor may use."""

    tools = serializers.ListField(child=serializers.DictField())


class ToolOutput(serializers.Serializer[Any]):
    """A tool's answer, for the model and for the program around it."""

    text = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]  # a field, no property


class CatalogueView(APIView):
    """The tools one may use."""

    content_negotiation_class = OwnFormat

    @extend_schema(
        operation_id="tools_list",
        parameters=[CatalogueInput],
        responses={200: CatalogueOutput, 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the tools in the shape that OpenAI or Anthropic models are given."""
        data = query_of(request, CatalogueInput)
        shape = SHAPES[data["format"]]
        tools = [shape(tool, request.actor) for tool in catalogue(request.actor)]
        return Response({"tools": tools})


class ToolView(APIView):
    """One tool."""

    @extend_schema(
        operation_id="tools_call",
        request=dict[str, Any],
        parameters=[KEY],
        responses={
            200: ToolOutput,
            400: ErrorOutput,
            403: ErrorOutput,
            404: ErrorOutput,
            503: ErrorOutput,
        },
    )
    @idempotent
    def post(self, request: ApiRequest, name: str) -> Response:
        """Run a tool; the body are its arguments.

        Where a search could not be made the error has text and data beside it, which
        say so to the model.
        """
        result = call(name, request.data, actor=request.actor)
        body = {"text": result.text, "data": result.data}
        if result.failed:
            return Response(error_body(result.failed) | body, result.failed.status)
        return Response(body)
