"""`/api/workspace`: sync an agent's files with the index, list and read them."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, StrictSerializer, paged, render
from memory import daily, reading
from memory.api.fields import AgentName, ErrorOutput, Text
from memory.api.passages import LinesInput, PassageOutput
from memory.models import Memory
from memory.scopes import Scope
from memory.workspace import SyncResult, get_agent, sync
from memory.workspace_listing import OUT_OF_STEP, list_files


class SyncInput(StrictSerializer):
    """Whose files to read; `force` indexes unchanged ones anew."""

    agent = AgentName()
    force = serializers.BooleanField(required=False, default=False)


class RefusedOutput(serializers.Serializer[SyncResult]):
    """A file that was not taken."""

    path = serializers.CharField()
    reason = serializers.CharField()


class SyncOutput(serializers.Serializer[SyncResult]):
    """What changed."""

    agent = serializers.CharField()
    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    removed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    failed = RefusedOutput(many=True)


class SyncView(APIView):
    """From disk to index."""

    @extend_schema(
        operation_id="workspace_sync",
        request=SyncInput,
        responses={200: SyncOutput, 400: ErrorOutput, 404: ErrorOutput},
    )
    def post(self, request: ApiRequest) -> Response:
        """Read an agent's files now; their vectors follow."""
        data = body_of(request, SyncInput)
        result = sync(get_agent(data.get("agent")), force=data["force"])
        return Response(asdict(result))


class DailyInput(StrictSerializer):
    """A note for today."""

    content = Text()
    agent = AgentName()


class DailyOutput(serializers.Serializer[daily.Appended]):
    """Where the note stands."""

    agent = serializers.CharField()
    path = serializers.CharField()
    date = serializers.DateField(help_text="Today, in the time zone of the person.")
    deduplicated = serializers.BooleanField(help_text="It stood there already.")


class DailyView(APIView):
    """Today's note of an agent."""

    @extend_schema(
        operation_id="workspace_daily",
        request=DailyInput,
        responses={
            201: DailyOutput,
            200: DailyOutput,
            400: ErrorOutput,
            403: ErrorOutput,
            404: ErrorOutput,
        },
    )
    def post(self, request: ApiRequest) -> Response:
        """Append to today's note: 201, or 200 when the text stood there already."""
        data = body_of(request, DailyInput)
        appended = daily.append(
            actor=request.actor,
            agent=get_agent(data.get("agent")),
            content=data["content"],
        )
        return Response(
            render(DailyOutput, appended), status=200 if appended.deduplicated else 201
        )


class FileFilters(Paged):
    """Whose files to list."""

    agent = AgentName()


class FileOutput(serializers.Serializer[Memory]):
    """An indexed file and the state of its index."""

    id = serializers.UUIDField(source="uid")
    path = serializers.CharField(source="source_key")
    title = serializers.CharField()
    updated_at = serializers.DateTimeField()
    observed_at = serializers.DateTimeField()
    index_state = serializers.CharField()
    index_error = serializers.CharField()


class FilesView(APIView):
    """The indexed files of an agent."""

    @extend_schema(
        operation_id="workspace_files",
        parameters=[FileFilters],
        responses={200: FileOutput(many=True), 400: ErrorOutput, 404: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the indexed files of an agent, a page at a time."""
        data = query_of(request, FileFilters)
        agent = get_agent(data.get("agent"))
        found = Memory.objects.readable_by(request.actor).live()
        found = found.filter(scope=Scope.WORKSPACE, agent=agent.slug)
        return paged(request, found, FileOutput)


class StatusFilters(StrictSerializer):
    """Whose files to look at."""

    agent = AgentName()


class StatusOutput(serializers.Serializer[Any]):
    """How far the index knows of an agent's files."""

    agent = serializers.CharField()
    files = serializers.IntegerField(help_text="On disk or in the index.")
    states = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="How many are `indexed`, `pending`, `failed`, or since the last sync"
        " `new`, `changed`, `gone`; `refused` are never read.",
    )
    in_step = serializers.BooleanField(help_text="A sync would change nothing.")


class StatusView(APIView):
    """Whether the index is in step with the folder."""

    @extend_schema(
        operation_id="workspace_status",
        parameters=[StatusFilters],
        responses={200: StatusOutput, 404: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """Count an agent's files by their state; nothing is read or changed."""
        agent = get_agent(query_of(request, StatusFilters).get("agent"))
        states = Counter(file.state for file in list_files(request.actor, agent))
        return Response(
            {
                "agent": agent.slug,
                "files": states.total(),
                "states": states,
                "in_step": not OUT_OF_STEP & states.keys(),
            }
        )


class ReadInput(LinesInput):
    """Which file."""

    path = serializers.CharField(max_length=600, trim_whitespace=False)
    agent = AgentName()


class ReadView(APIView):
    """A file's text."""

    @extend_schema(
        operation_id="workspace_read",
        parameters=[ReadInput],
        responses={200: PassageOutput, 400: ErrorOutput, 404: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """Read a file as it is on disk now, whole or some lines."""
        data = query_of(request, ReadInput)
        passage = reading.read_file(
            get_agent(data.get("agent")),
            data["path"],
            start=data.get("from", 1),
            count=data.get("lines"),
        )
        return Response(render(PassageOutput, passage))
