"""REST: jobs, where they stand and what became of them."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, status
from rest_framework.decorators import action
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.api.input import query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, paged, render
from memory import queue
from memory.api.fields import ErrorOutput
from memory.models import Job, JobKind, JobState


class JobProgressOutput(serializers.Serializer[Any]):
    """How far a job has come."""

    done = serializers.IntegerField(source="progress_done")
    total = serializers.IntegerField(source="progress_total", allow_null=True)
    note = serializers.CharField(source="progress_note")


class JobOutput(serializers.ModelSerializer[Job]):
    """One job."""

    id = serializers.UUIDField(source="uid")
    progress = JobProgressOutput(source="*")
    counts = serializers.DictField(
        source="result", child=serializers.IntegerField(), help_text="By name."
    )
    started_by = serializers.CharField(
        source="started_by.username", allow_null=True, default=None
    )

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "state",
            "progress",
            "counts",
            "report",
            "error",
            "attempts",
            "max_attempts",
            "started_by",
            "created_at",
            "run_at",
            "started_at",
            "finished_at",
        ]
        read_only_fields = fields


def queued(job: Job) -> Response:
    """Return the answer to what is done later: 202 with its job."""
    return Response(render(JobOutput, job), status=status.HTTP_202_ACCEPTED)


class JobFilter(Paged):
    """Which jobs to list."""

    state = serializers.ChoiceField(choices=JobState.choices, required=False)
    kind = serializers.ChoiceField(choices=JobKind.choices, required=False)


class JobViewSet(mixins.RetrieveModelMixin, GenericViewSet[Job]):
    """Jobs: all of them for administrators, for others those they started."""

    request: ApiRequest
    queryset = Job.objects.none()
    serializer_class = JobOutput
    lookup_field = "uid"
    lookup_url_kwarg = "id"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[Job]:
        """Return the jobs the actor may see; another's is not there."""
        actor = self.request.actor
        return Job.objects.readable_by(actor).select_related("started_by")

    @extend_schema(parameters=[JobFilter])
    def list(self, request: ApiRequest) -> Response:
        """List jobs, newest first, of the state and kind asked for."""
        asked = query_of(request, JobFilter)
        wanted = {name: asked[name] for name in ("state", "kind") if name in asked}
        return paged(request, self.get_queryset().filter(**wanted), JobOutput)

    @extend_schema(request=None, responses={202: JobOutput})
    @action(detail=True, methods=["post"])
    def retry(self, request: ApiRequest, **kwargs: Any) -> Response:
        """Queue a failed, dead or cancelled job again; a twin that waits is enough."""
        return queued(queue.retry(self.get_object()))

    @extend_schema(request=None, responses={200: JobOutput, 409: ErrorOutput})
    @action(detail=True, methods=["post"])
    def cancel(self, request: ApiRequest, **kwargs: Any) -> Response:
        """Take a waiting job out, or let a running one end; its work so far stays."""
        job = self.get_object()
        queue.cancel(job)
        return Response(render(JobOutput, job))
