"""`/api/memory/wiki/history`, `…/restore`, `…/recent`: what pages were before."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, paged, render
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.versions import IF_MATCH
from wiki import history
from wiki.api.fields import (
    ChangeRow,
    RestoreInput,
    RevisionOutput,
    RevisionRow,
    SavedOutput,
)
from wiki.api.pages import saved_response
from wiki.api.requests import (
    ERRORS,
    Asked,
    ReadsWiki,
    base_of,
    slug_of,
)
from wiki.finding import find_page


class HistoryFilters(Paged, Asked):
    """Whose revisions, or which one."""

    revision = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="Read this one with its text, instead of the list.",
    )


class HistoryView(APIView):
    """The revisions of a page."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_history",
        parameters=[HistoryFilters],
        responses={200: RevisionRow(many=True), **ERRORS},
    )
    def get(self, request: ApiRequest) -> Response:
        """List a page's revisions, newest first, without texts; or read one."""
        filters = query_of(request, HistoryFilters)
        page = find_page(request.actor, filters["slug"]).page
        if "revision" in filters:
            revision = history.revision_of(page, filters["revision"])
            return Response(render(RevisionOutput, revision))
        rows = history.revisions_of(page)
        return paged(request, rows, RevisionRow, ordering=("-number",))


class RestoreView(APIView):
    """The way back to an old text."""

    @extend_schema(
        operation_id="wiki_restore",
        request=RestoreInput,
        parameters=[Asked, IF_MATCH, KEY],
        responses={200: SavedOutput, 409: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Save an old revision again, as the newest one."""
        page = find_page(request.actor, slug_of(request)).page
        data = body_of(request, RestoreInput)
        saved = history.restore(
            actor=request.actor,
            page=page,
            number=data["revision"],
            base_revision=base_of(request, data["base_revision"]),
        )
        return saved_response(request, saved)


class RecentView(APIView):
    """What changed lately."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_recent",
        parameters=[Paged],
        responses={200: ChangeRow(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the changes of all readable pages, newest first."""
        query_of(request, Paged)
        return paged(request, history.recent_changes(request.actor), ChangeRow)
