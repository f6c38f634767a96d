"""`/agentic/workspace/{sync,search,status,read}`: the default agent's files."""

from pathlib import Path
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.actors import Actor
from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.compat.agentic.fields import Input
from goclaw.lib.errors import BadInput
from memory import reading
from memory.models import Agent, Chunk
from memory.scopes import Scope
from memory.search import SearchQuery, search
from memory.search.types import MAX_QUERY_CHARS
from memory.workspace import get_agent, sync
from memory.workspace_files import root_of
from memory.workspace_listing import OUT_OF_STEP, list_files

MAX_SNIPPET = 700


class SyncInput(Input):
    """What to read."""

    force = serializers.BooleanField(required=False, default=False)
    workspace_dir = serializers.CharField(
        required=False, allow_null=True, allow_blank=True, max_length=1000
    )


class SyncView(APIView):
    """From disk to index."""

    @extend_schema(
        operation_id="agentic_workspace_sync", request=SyncInput, responses={200: dict}
    )
    def post(self, request: ApiRequest) -> Response:
        """Read the files now; each is replaced whole or not at all."""
        data = body_of(request, SyncInput)
        agent = get_agent(None)
        _check_folder(agent, data.get("workspace_dir"))
        result = sync(agent, force=data["force"])
        return Response(
            {
                "indexed": result.added + result.changed,
                "unchanged": result.unchanged,
                "deleted": result.removed,
                "chunks": _chunks(request.actor, agent),
            }
        )


class SearchInput(Input):
    """A question about files."""

    query = serializers.CharField(max_length=MAX_QUERY_CHARS, trim_whitespace=False)
    max_results = serializers.IntegerField(
        required=False, default=10, min_value=1, max_value=50
    )
    min_score = serializers.FloatField(
        required=False, default=0, min_value=0, max_value=1
    )


class SearchView(APIView):
    """Lines of files."""

    @extend_schema(
        operation_id="agentic_workspace_search",
        request=SearchInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Search files by meaning and by words; `min_score` is of either."""
        data = body_of(request, SearchInput)
        answer = search(
            request.actor,
            SearchQuery(
                text=data["query"],
                max_results=data["max_results"],
                min_score=data["min_score"],
                scopes=(Scope.WORKSPACE,),
                agent=get_agent(None).slug,
            ),
        )
        results = [
            {
                "id": str(hit.id),
                "path": hit.path,
                "startLine": hit.line_start,
                "endLine": hit.line_end,
                "snippet": hit.snippet[:MAX_SNIPPET],
                "source": "memory",
                "score": hit.score,
                "vec_score": hit.parts.get("similarity"),
            }
            for hit in answer.hits
        ]
        return Response({"results": results})


class StatusView(APIView):
    """How far the index is."""

    @extend_schema(operation_id="agentic_workspace_status", responses={200: dict})
    def get(self, request: ApiRequest) -> Response:
        """Count files and chunks, and files that changed since the last sync."""
        agent = get_agent(None)
        files = list_files(request.actor, agent)
        dirty = sum(file.state in OUT_OF_STEP for file in files)
        return Response(
            {
                "files": sum(file.record is not None for file in files),
                "chunks": _chunks(request.actor, agent),
                "dirty": dirty > 0,
                "dirty_count": dirty,
            }
        )


class ReadInput(Input):
    """Which lines; they count from 1."""

    path = serializers.CharField(max_length=600, trim_whitespace=False)
    from_line = serializers.IntegerField(
        required=False, default=1, min_value=1, max_value=2**31 - 1
    )
    lines = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=100_000
    )


class ReadView(APIView):
    """A file's text."""

    @extend_schema(
        operation_id="agentic_workspace_read",
        parameters=[ReadInput],
        responses={200: dict},
    )
    def get(self, request: ApiRequest) -> Response:
        """Return lines of a file; one that is not there has no text."""
        data = query_of(request, ReadInput)
        passage = reading.read_file(
            get_agent(None),
            data["path"],
            start=data["from_line"],
            count=data.get("lines"),
        )
        return Response({"text": passage.text, "path": data["path"]})


def _check_folder(agent: Agent, folder: str | None) -> None:
    """Refuse any other folder than the agent's: it is not for callers to choose."""
    if folder and Path(folder).resolve() != root_of(agent).resolve():
        raise BadInput(
            "Only the workspace of this server is read.",
            code="path_refused",
            field="workspace_dir",
            remedy="Leave it out; an operator adds folders by GOCLAW_MEMORY_PATHS.",
        )


def _chunks(actor: Actor, agent: Agent) -> int:
    found: Any = Chunk.objects.readable_by(actor)
    count: int = found.filter(
        memory__scope=Scope.WORKSPACE, memory__agent=agent.slug
    ).count()
    return count
