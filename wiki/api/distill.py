"""`/api/memory/wiki/distill`: have pages written from what agents have learned."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, parse
from memory.api.fields import ErrorOutput, Text
from memory.api.idempotency import idempotent
from memory.api.jobs import JobOutput
from wiki import distilling
from wiki.api.requests import ERRORS, KEY


class DistillInput(StrictSerializer):
    """What to distil."""

    domain = Text(
        required=False, default="", help_text="Only this one; all without it."
    )


class DistillView(APIView):
    """The way from facts to drafts of pages."""

    @extend_schema(
        operation_id="wiki_distill",
        request=DistillInput,
        parameters=[KEY],
        responses={202: JobOutput, 503: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue it, for administrators; drafts wait at `/api/review/items` then."""
        data = parse(DistillInput, request.data, timezone=request.actor.timezone)
        domains = [data["domain"]] if data["domain"] else []
        job = distilling.start(actor=request.actor, domains=domains)
        return Response(JobOutput(job).data, status=status.HTTP_202_ACCEPTED)
