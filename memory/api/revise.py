"""`/api/memory/revise` and `/api/memory/dedupe`: jobs over everything stored."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, parse, render
from memory.api.fields import ErrorOutput, Text
from memory.api.idempotency import idempotent
from memory.api.jobs import JobOutput
from memory.lifecycle import dedupe, revising
from memory.lifecycle.sameness import RATIO
from memory.models import Job
from memory.scopes import Scope

ANSWERS = {202: JobOutput, 400: ErrorOutput, 403: ErrorOutput}
KEY = OpenApiParameter("Idempotency-Key", str, "header")


class ReviseInput(StrictSerializer):
    """Whether to do it, or only to say what would be done."""

    dry_run = serializers.BooleanField(required=False, default=False)


class ReviseView(APIView):
    """A job that lets newer notes replace older ones."""

    @extend_schema(
        operation_id="revise", request=ReviseInput, responses=ANSWERS, parameters=[KEY]
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue the job (administrators); a dry run leaves its report in the job."""
        data = parse(ReviseInput, request.data, timezone=request.actor.timezone)
        return _queued(revising.request(actor=request.actor, **data))


class DedupeInput(StrictSerializer):
    """Which space, and how alike two texts are at least."""

    scope = Text(required=False, default=Scope.AGENT_NOTES.value)
    ratio = serializers.FloatField(
        required=False, default=RATIO, help_text="From 0.5 to 1."
    )
    dry_run = serializers.BooleanField(required=False, default=False)


class DedupeView(APIView):
    """A job that retires what is there twice."""

    @extend_schema(
        operation_id="dedupe", request=DedupeInput, responses=ANSWERS, parameters=[KEY]
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue the job; a dry run leaves its report in the job."""
        data = parse(DedupeInput, request.data, timezone=request.actor.timezone)
        return _queued(dedupe.request(actor=request.actor, **data))


def _queued(job: Job) -> Response:
    return Response(render(JobOutput, job), status=status.HTTP_202_ACCEPTED)
