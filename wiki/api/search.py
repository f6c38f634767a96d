"""`/api/memory/wiki/search` and `…/suggest`: find pages."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from memory.api.fields import ErrorOutput
from memory.api.search import AnswerOutput
from memory.scopes import TAG
from memory.search import SearchQuery
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS
from wiki import searching
from wiki.api.fields import SuggestionsOutput
from wiki.api.requests import ReadsWiki


class PageSearchInput(StrictSerializer):
    """A question to the wiki, with its filters."""

    query = serializers.CharField(
        max_length=MAX_QUERY_CHARS, trim_whitespace=False, allow_blank=True
    )
    max_results = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_RESULTS
    )
    min_score = serializers.FloatField(required=False, min_value=0, max_value=1)
    tag = serializers.RegexField(rf"^(?:{TAG.pattern})\Z", required=False)
    under = serializers.CharField(
        required=False, max_length=200, help_text="Only this section."
    )


class PageSearchView(APIView):
    """The one search, among pages."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_search",
        parameters=[PageSearchInput],
        responses={200: AnswerOutput, 400: ErrorOutput, 503: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """Search the pages one may read; a hit's `path` is the slug."""
        data = query_of(request, PageSearchInput)
        query = SearchQuery(
            text=data["query"],
            max_results=data.get("max_results"),
            min_score=data.get("min_score"),
            tags=(data["tag"],) if "tag" in data else (),
            path_prefix=data.get("under"),
        )
        return Response(
            render(AnswerOutput, searching.search_pages(request.actor, query))
        )


class SuggestInput(StrictSerializer):
    """What was typed so far."""

    query = serializers.CharField(max_length=200, allow_blank=True)
    limit = serializers.IntegerField(
        required=False, default=8, min_value=1, max_value=searching.MOST_SUGGESTED
    )


class SuggestView(APIView):
    """Titles while typing."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_suggest",
        parameters=[SuggestInput],
        responses={200: SuggestionsOutput, 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """Return pages with words that begin as typed, in title or slug."""
        data = query_of(request, SuggestInput)
        found = searching.suggest(request.actor, data["query"], limit=data["limit"])
        return Response({"results": [asdict(one) for one in found]})
