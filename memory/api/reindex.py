"""`/api/memory/reindex`: make the entries of the index anew."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer
from memory import reindexing
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued


class ReindexInput(StrictSerializer):
    """What to make anew besides the keyword entries."""

    vectors = serializers.BooleanField(required=False, default=False)


class ReindexView(APIView):
    """A job that goes through every record."""

    @extend_schema(
        operation_id="reindex",
        request=ReindexInput,
        responses={202: JobOutput, 400: ErrorOutput, 403: ErrorOutput},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue the job, or return the one that waits or runs (administrators)."""
        data = body_of(request, ReindexInput)
        job = reindexing.request(actor=request.actor, vectors=data["vectors"])
        return queued(job)
