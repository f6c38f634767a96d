"""`/api/memory/wiki/distill`: have pages written from what agents have learned."""

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer
from memory.api.fields import ErrorOutput, Text
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued
from wiki import distilling
from wiki.api.requests import ERRORS


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
        data = body_of(request, DistillInput)
        domains = [data["domain"]] if data["domain"] else []
        job = distilling.start(actor=request.actor, domains=domains)
        return queued(job)
