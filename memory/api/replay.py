"""`/api/memory/replay`: build `Memory.md` anew from archived conversations."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer
from memory import replaying
from memory.api.fields import AgentName, ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued
from memory.workspace import get_agent


class ReplayInput(StrictSerializer):
    """Whose file, and whether to show the difference only."""

    agent = AgentName()
    dry_run = serializers.BooleanField(required=False, default=False)


class ReplayView(APIView):
    """A job that reads every archive of an agent."""

    @extend_schema(
        operation_id="replay",
        request=ReplayInput,
        responses={
            202: JobOutput,
            400: ErrorOutput,
            403: ErrorOutput,
            404: ErrorOutput,
            503: ErrorOutput,
        },
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue the job (administrators); a dry run reports a diff in it."""
        data = body_of(request, ReplayInput)
        job = replaying.request(
            actor=request.actor,
            agent=get_agent(data.get("agent")),
            dry_run=data["dry_run"],
        )
        return queued(job)
