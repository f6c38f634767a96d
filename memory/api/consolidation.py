"""`/api/memory/consolidate`: old notes into `Memory.md`, or notes that say the same."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from memory.api.fields import AgentName, ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued
from memory.lifecycle import consolidation, curation
from memory.lifecycle.curation import Preview
from memory.workspace import get_agent

SHOWN_CHARS = 200


class ConsolidateInput(StrictSerializer):
    """Whose notes, and from what age on."""

    agent = AgentName()
    lookback_days = serializers.IntegerField(
        required=False, min_value=0, max_value=36_500
    )
    dry_run = serializers.BooleanField(required=False, default=False)
    merge = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Run the nightly merge of notes that say the same instead.",
    )


class OldRecordOutput(serializers.Serializer[Any]):
    """A global record that would be taken."""

    id = serializers.UUIDField(source="uid")
    domain = serializers.CharField()
    created_at = serializers.DateTimeField()
    begins = serializers.SerializerMethodField()

    def get_begins(self, record: Any) -> str:
        """Return the beginning of its text."""
        return str(record.content[:SHOWN_CHARS])


class OldFileOutput(serializers.Serializer[Any]):
    """A daily note that would be taken."""

    path = serializers.CharField()
    day = serializers.DateField()


class PreviewOutput(serializers.Serializer[Preview]):
    """What a run would take, up to 200 of each, and how many there are."""

    agent = serializers.CharField(source="agent.slug")
    lookback_days = serializers.IntegerField(source="days")
    records = OldRecordOutput(many=True)
    record_count = serializers.IntegerField()
    files = OldFileOutput(many=True)
    file_count = serializers.IntegerField()


class ConsolidateView(APIView):
    """A job that puts old notes away."""

    @extend_schema(
        operation_id="consolidate",
        request=ConsolidateInput,
        responses={
            202: JobOutput,
            200: PreviewOutput,
            400: ErrorOutput,
            403: ErrorOutput,
            404: ErrorOutput,
            503: ErrorOutput,
        },
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue the job: 202; a dry run answers at once what it would take."""
        data = body_of(request, ConsolidateInput)
        if data["merge"]:
            dry_run = data["dry_run"]
            job = consolidation.request(actor=request.actor, dry_run=dry_run)
            return queued(job)
        agent, days = get_agent(data.get("agent")), data.get("lookback_days")
        if data["dry_run"]:
            shown = curation.preview(actor=request.actor, agent=agent, days=days)
            return Response(render(PreviewOutput, shown))
        return queued(curation.request(actor=request.actor, agent=agent, days=days))
