"""`/api/memory/revise` and `/api/memory/dedupe`: jobs over everything stored."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer
from memory.api.fields import ErrorOutput, Text
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued
from memory.lifecycle import dedupe, revising
from memory.lifecycle.sameness import RATIO
from memory.scopes import Scope

ANSWERS = {202: JobOutput, 400: ErrorOutput, 403: ErrorOutput}


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
        data = body_of(request, ReviseInput)
        return queued(revising.request(actor=request.actor, **data))


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
        data = body_of(request, DedupeInput)
        return queued(dedupe.request(actor=request.actor, **data))
