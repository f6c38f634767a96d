"""`/api/memory/records`: write, list, read, change, forget, restore; many at once."""

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import (
    Paged,
    StrictSerializer,
    When,
    paged,
    parse,
    render,
)
from goclaw.lib.errors import GoClawError, NotFound
from memory import changes, records
from memory.api.fields import (
    BulkInput,
    ErrorOutput,
    RecordChanges,
    RecordInput,
    RecordOutput,
    WrittenOutput,
    draft_of,
)
from memory.api.idempotency import KEY, idempotent
from memory.api.versions import IF_MATCH, etag, if_match
from memory.lifecycle import learning
from memory.models import Memory, Revision
from memory.models.memories import MemoryQuerySet
from memory.scopes import Kind, Scope

ERRORS = {400: ErrorOutput, 403: ErrorOutput, 404: ErrorOutput}


class RecordFilters(Paged):
    """Which records to list; unknown parameters are refused."""

    scope = serializers.ChoiceField(Scope.choices, required=False)
    kind = serializers.ChoiceField(Kind.choices, required=False)
    domain = serializers.CharField(required=False)
    tag = serializers.CharField(required=False)
    agent = serializers.CharField(required=False)
    since = When(required=False, help_text="Observed at or after.")
    until = When(required=False, help_text="Observed before.")
    include_history = serializers.BooleanField(required=False, default=False)
    forgotten = serializers.BooleanField(
        required=False, default=False, help_text="The bin instead of the live records."
    )


class ForgetInput(StrictSerializer):
    """How a record goes."""

    purge = serializers.BooleanField(
        required=False, default=False, help_text="For good, and at once."
    )


class RecordsView(APIView):
    """The records one may read."""

    @extend_schema(
        operation_id="records_list",
        parameters=[RecordFilters],
        responses={200: RecordOutput(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List records, newest first, a page at a time."""
        filters = query_of(request, RecordFilters)
        found = with_relations(_listed(request, filters))
        return paged(request, found, RecordOutput)

    @extend_schema(
        operation_id="records_write",
        request=RecordInput,
        responses={201: WrittenOutput, 200: WrittenOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Write a record: 201, or 200 when the same one was written within a day."""
        data = body_of(request, RecordInput)
        written = learning.write(actor=request.actor, draft=draft_of(data))
        return Response(
            written_json(request, written),
            status=status.HTTP_200_OK
            if written.deduplicated
            else status.HTTP_201_CREATED,
            headers=etag(written.memory.version),
        )


class BulkView(APIView):
    """Many records in one request."""

    @extend_schema(
        operation_id="records_write_bulk", request=BulkInput, responses={200: dict}
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Write up to 500 records; the results are in the order of the input."""
        data = body_of(request, BulkInput)
        results: list[dict[str, Any]] = [{} for _ in data["records"]]
        drafts = {}
        for at, item in enumerate(data["records"]):
            try:
                fields = parse(RecordInput, item, timezone=request.actor.timezone)
                drafts[at] = draft_of(fields)
            except GoClawError as error:
                results[at] = {"error": error.as_dict()}
        written = learning.write_many(actor=request.actor, drafts=list(drafts.values()))
        for at, outcome in zip(drafts, written, strict=True):
            results[at] = _bulk_result(outcome)
        return Response({"results": results})


class RecordView(APIView):
    """One record."""

    @extend_schema(operation_id="records_read", responses={200: RecordOutput, **ERRORS})
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """Read a record, also a superseded or forgotten one."""
        memory = find(request, uid)
        return Response(render(RecordOutput, memory), headers=etag(memory.version))

    @extend_schema(
        operation_id="records_change",
        request=RecordChanges,
        responses={200: RecordOutput, 409: ErrorOutput, **ERRORS},
        parameters=[IF_MATCH],
    )
    def patch(self, request: ApiRequest, uid: UUID) -> Response:
        """Change a record in place; what it was becomes a revision."""
        data = body_of(request, RecordChanges)
        changes.edit(
            actor=request.actor, uid=uid, changes=data, version=if_match(request)
        )
        memory = find(request, uid)
        return Response(render(RecordOutput, memory), headers=etag(memory.version))

    @extend_schema(
        operation_id="records_forget",
        responses={204: None, **ERRORS},
        parameters=[ForgetInput, IF_MATCH],
    )
    def delete(self, request: ApiRequest, uid: UUID) -> Response:
        """Forget a record, restorable for 30 days; `purge=true` deletes it for good."""
        for_good = query_of(request, ForgetInput)["purge"]
        act = changes.purge if for_good else changes.forget
        act(actor=request.actor, uid=uid, version=if_match(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class RestoreView(APIView):
    """The way back from the bin."""

    @extend_schema(
        operation_id="records_restore",
        request=None,
        responses={200: RecordOutput, 409: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Bring a forgotten record back."""
        changes.restore(actor=request.actor, uid=uid)
        return Response(RecordOutput(find(request, uid)).data)


def find(request: ApiRequest, uid: UUID) -> Memory:
    """Return a readable record; somebody else's is as missing as one that never was."""
    readable = Memory.objects.readable_by(request.actor)
    found = with_reason(with_relations(readable)).filter(uid=uid).first()
    if found is None:
        raise NotFound("There is no such record.")
    return found


def with_relations(found: MemoryQuerySet) -> MemoryQuerySet:
    """Return the query with all that `RecordOutput` shows, in two queries."""
    related = ("created_by", "created_by_key", "superseded_by")
    return found.select_related(*related).prefetch_related("tags")


def with_reason(found: MemoryQuerySet) -> MemoryQuerySet:
    """Return the query with the reason for which each record was retired."""
    standing = Revision.objects.decisions().filter(
        memory=OuterRef("pk"), undone_at__isnull=True
    )
    return found.annotate(superseded_reason=Subquery(standing.values("reason")[:1]))


def written_json(request: ApiRequest, written: records.Written) -> dict[str, Any]:
    """Return the answer to a write; what the request knows is not asked for again."""
    memory = written.memory
    if memory.created_by_id == request.user.pk:
        memory.created_by = request.user
    if request.auth and memory.created_by_key_id == request.auth.pk:
        memory.created_by_key = request.auth
    body: dict[str, Any] = render(RecordOutput, memory)
    return body | {"deduplicated": written.deduplicated, "reason": written.reason}


def _listed(request: ApiRequest, filters: dict[str, Any]) -> MemoryQuerySet:
    if "scope" in filters:
        found = Memory.objects.readable_by(request.actor, scopes=(filters["scope"],))
    else:
        found = Memory.objects.recent_for(request.actor)
    if filters["forgotten"]:
        found = found.filter(forgotten_at__isnull=False)
    else:
        found = found.live()
    found = with_reason(found) if filters["include_history"] else found.current()
    for name in ("scope", "kind", "domain", "agent"):
        if name in filters:
            found = found.filter(**{name: filters[name]})
    if "tag" in filters:
        found = found.tagged(filters["tag"])
    if "since" in filters:
        found = found.filter(observed_at__gte=filters["since"])
    if "until" in filters:
        found = found.filter(observed_at__lt=filters["until"])
    return found


def _bulk_result(outcome: records.Written | GoClawError) -> dict[str, Any]:
    if isinstance(outcome, GoClawError):
        return {"error": outcome.as_dict()}
    return {
        "id": str(outcome.memory.uid),
        "status": 200 if outcome.deduplicated else 201,
        "deduplicated": outcome.deduplicated,
        "reason": outcome.reason,
    }
