"""`/api/memory/search`, `/api/memory/get` and `/api/memory/stats`: find and read."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, When, render
from goclaw.lib.errors import BadInput
from memory import citations, reading
from memory.api.fields import AgentName, ErrorOutput
from memory.api.passages import LinesInput, PassageOutput
from memory.scopes import DOMAIN, TAG, Kind, Scope
from memory.search import SearchAnswer, SearchHit, SearchQuery, search
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS
from memory.stats import stats


class Question(serializers.CharField):
    """A text; a number is a mistake, not a question."""

    def to_internal_value(self, data: Any) -> str:
        """Take strings only."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class SearchInput(StrictSerializer):
    """A question with its filters; a filter that makes no sense is refused."""

    query = Question(
        max_length=MAX_QUERY_CHARS, trim_whitespace=False, allow_blank=True
    )
    max_results = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_RESULTS
    )
    min_score = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="Least relevance, before decay.",
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices), required=False, default=list
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(Kind.choices), required=False, default=list
    )
    domains = serializers.ListField(
        child=serializers.RegexField(rf"^(?:{DOMAIN.pattern})\Z"),
        required=False,
        default=list,
    )
    tags = serializers.ListField(
        child=serializers.RegexField(rf"^(?:{TAG.pattern})\Z"),
        required=False,
        default=list,
        help_text="All of them have to be there.",
    )
    since = When(required=False, allow_null=True, help_text="Observed at or after.")
    until = When(required=False, allow_null=True, help_text="Observed before.")
    agent = AgentName()
    path_prefix = serializers.CharField(
        required=False, max_length=512, help_text="Compared by whole path segments."
    )
    include_history = serializers.BooleanField(required=False, default=False)
    explain = serializers.BooleanField(required=False, default=False)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Refuse a span of time that ends before it begins."""
        since, until = data.get("since"), data.get("until")
        if since and until and since >= until:
            raise serializers.ValidationError({"until": "until must be after since."})
        return data


class HitOutput(serializers.Serializer[SearchHit]):
    """A chunk that answers the question; absent values are null."""

    id = serializers.UUIDField(help_text="Of the record; accepted everywhere.")
    scope = serializers.CharField()
    kind = serializers.CharField()
    domain = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    title = serializers.CharField()
    path = serializers.CharField(allow_null=True)
    line_start = serializers.IntegerField()
    line_end = serializers.IntegerField()
    citation = serializers.CharField()
    snippet = serializers.CharField()
    matches = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="[start, end] of matched words within the snippet.",
    )
    score = serializers.FloatField(help_text="Relevance after decay, 0 to 1.")
    parts = serializers.DictField(help_text="Where the score comes from, 0 to 1 each.")
    age_days = serializers.FloatField()
    superseded = serializers.BooleanField()
    superseded_by = serializers.UUIDField(allow_null=True)


class DegradedOutput(serializers.Serializer[Any]):
    """Why an answer is worse than it could be, and what to do."""

    reason = serializers.CharField()
    action = serializers.CharField()


class AnswerOutput(serializers.Serializer[SearchAnswer]):
    """The hits, best first, and how they were found."""

    results = HitOutput(source="hits", many=True)
    took_ms = serializers.FloatField()
    mode = serializers.CharField(help_text="hybrid, or keyword without a model.")
    degraded = DegradedOutput(allow_null=True)
    pending = serializers.IntegerField(
        help_text="Readable records that are not fully indexed yet."
    )


class SearchView(APIView):
    """The one search over everything readable."""

    @extend_schema(
        operation_id="search",
        request=SearchInput,
        responses={200: AnswerOutput, 400: ErrorOutput, 503: ErrorOutput},
    )
    def post(self, request: ApiRequest) -> Response:
        """Search records, workspace files and everything else that is readable."""
        data = body_of(request, SearchInput)
        explain = data.pop("explain")
        filters: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in data.items()
        }
        query = SearchQuery(text=filters.pop("query"), **filters)
        answer = search(request.actor, query)
        body = render(AnswerOutput, answer)
        if explain:
            body["timings_ms"] = answer.timings_ms
        return Response(body)


class GetInput(LinesInput):
    """What to read: a path with its agent, or an id."""

    path = serializers.CharField(
        required=False,
        max_length=600,
        trim_whitespace=False,
        help_text="A citation, or a path of a file or page.",
    )
    id = serializers.CharField(
        required=False, max_length=60, help_text="Of a record, or its citation."
    )
    agent = serializers.CharField(required=False, max_length=64)


class GetView(APIView):
    """The text behind a citation."""

    @extend_schema(
        operation_id="get",
        parameters=[GetInput],
        responses={200: PassageOutput, 400: ErrorOutput, 404: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """Read what a citation, a path or an id stands for, whole or some lines."""
        data = query_of(request, GetInput)
        if ("path" in data) == ("id" in data):
            raise BadInput("Give either a path or an id.", field="path")
        place = citations.parse(data.get("path") or data["id"])
        if "id" in data and place.uid is None:
            raise BadInput("Must be a valid UUID.", field="id")
        passage = reading.read(
            request.actor,
            uid=place.uid,
            path=place.path.partition("#")[0],
            agent=data.get("agent"),
            start=data.get("from") or place.start or 1,
            count=data.get("lines") or place.count,
        )
        return Response(render(PassageOutput, passage))


class StatsView(APIView):
    """Counts of what one may read."""

    @extend_schema(operation_id="stats", responses={200: dict})
    def get(self, request: ApiRequest) -> Response:
        """Count records by scope and kind, the index, jobs and storage."""
        return Response(stats(request.actor))
