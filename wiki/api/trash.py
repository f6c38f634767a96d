"""`/api/memory/wiki/trash`: deleted pages, and the way back."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, paged
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.versions import etag
from wiki import trash
from wiki.api.fields import DeletedRow, PageOutput, UndeleteInput
from wiki.api.pages import page_json
from wiki.api.requests import ERRORS
from wiki.finding import find_page


class TrashView(APIView):
    """What was deleted."""

    @extend_schema(
        operation_id="wiki_trash",
        parameters=[Paged],
        responses={200: DeletedRow(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the deleted pages that one may bring back, newest first."""
        query_of(request, Paged)
        found = trash.deleted_pages(request.actor).select_related("deleted_by")
        return paged(request, found, DeletedRow, ordering=("-deleted_at", "-id"))


class UndeleteView(APIView):
    """The way back from the trash."""

    @extend_schema(
        operation_id="wiki_undelete",
        request=UndeleteInput,
        parameters=[KEY],
        responses={200: PageOutput, 409: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Bring a page back; at another slug if its own is taken by now."""
        data = body_of(request, UndeleteInput)
        page = trash.undelete_page(actor=request.actor, uid=uid, to=data["to"])
        page = find_page(request.actor, page.slug).page
        return Response(page_json(request, page), headers=etag(page.number))
