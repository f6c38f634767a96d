"""`/api/memory/db-cache`: schema notes of data sources, kept by their gateways."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from memory.api.fields import ErrorOutput, RecordOutput, Text
from memory.api.records import find
from memory.api.versions import etag
from memory.db_cache import forget_note, put_note


class NoteInput(StrictSerializer):
    """What is known of a table, a view or another object of a data source."""

    content = Text(help_text="Columns, types, meanings: what helps to write a query.")


class DbCacheView(APIView):
    """One schema note."""

    @extend_schema(
        operation_id="db_cache_put",
        request=NoteInput,
        responses={200: RecordOutput, 400: ErrorOutput, 403: ErrorOutput},
    )
    def put(self, request: ApiRequest, source: str, object_name: str) -> Response:
        """Set the note of an object (keys with may_write_db_cache)."""
        data = body_of(request, NoteInput)
        memory = put_note(
            actor=request.actor,
            source=source,
            object_name=object_name,
            content=data["content"],
        )
        memory = find(request, memory.uid)
        return Response(render(RecordOutput, memory), headers=etag(memory.version))

    @extend_schema(
        operation_id="db_cache_delete",
        responses={204: None, 403: ErrorOutput, 404: ErrorOutput},
    )
    def delete(self, request: ApiRequest, source: str, object_name: str) -> Response:
        """Delete the note of an object that is no longer there."""
        forget_note(actor=request.actor, source=source, object_name=object_name)
        return Response(status=status.HTTP_204_NO_CONTENT)
