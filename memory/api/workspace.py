"""`/api/workspace`: bring the index in step with an agent's files, and list them."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, paged, parse
from memory.api.fields import ErrorOutput
from memory.models import Memory
from memory.scopes import Scope
from memory.workspace import SyncResult, get_agent, sync


class SyncInput(StrictSerializer):
    """Whose files to read; `force` indexes unchanged ones anew."""

    agent = serializers.CharField(required=False, max_length=64)
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
        data = parse(SyncInput, request.data, timezone=request.actor.timezone)
        result = sync(get_agent(data.get("agent")), force=data["force"])
        return Response(asdict(result))


class FileFilters(StrictSerializer):
    """Whose files to list."""

    agent = serializers.CharField(required=False, max_length=64)
    cursor = serializers.CharField(required=False)
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=200)


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
        data = parse(FileFilters, request.query_params, timezone=request.actor.timezone)
        agent = get_agent(data.get("agent"))
        found = Memory.objects.readable_by(request.actor).live()
        found = found.filter(scope=Scope.WORKSPACE, agent=agent.slug)
        return paged(request, found, FileOutput)
