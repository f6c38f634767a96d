"""`/api/memory/revisions`: what was decided about records, and taking it back."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, StrictSerializer, paged
from goclaw.lib.errors import BadInput
from memory.api.fields import ErrorOutput, Text
from memory.api.idempotency import KEY, idempotent
from memory.drafts import check_text
from memory.lifecycle import undoing
from memory.models import Revision

SHOWN_CHARS = 300
MAX_RUN = 64
ERRORS = {400: ErrorOutput, 403: ErrorOutput, 404: ErrorOutput, 409: ErrorOutput}


class RevisionFilters(Paged):
    """Which decisions to list; unknown parameters are refused."""

    memory_id = serializers.UUIDField(
        required=False, help_text="Of the record that was changed or retired."
    )
    run_id = serializers.CharField(required=False, max_length=MAX_RUN)
    via = serializers.CharField(required=False, max_length=MAX_RUN)
    undone = serializers.BooleanField(required=False, allow_null=True, default=None)


class RevisionOutput(serializers.Serializer[Revision]):
    """One decision about a record."""

    id = serializers.UUIDField(source="uid")
    memory_id = serializers.UUIDField(source="memory.uid")
    content = serializers.SerializerMethodField(help_text="The text's beginning.")
    replaced_by = serializers.UUIDField(
        source="replacement.uid", default=None, allow_null=True
    )
    replacement = serializers.SerializerMethodField(
        help_text="The beginning of the replacement's text."
    )
    via = serializers.CharField()
    reason = serializers.CharField()
    run_id = serializers.CharField(source="run")
    model = serializers.CharField()
    words = serializers.CharField(help_text="What the model said.")
    before = serializers.DictField(help_text="Of an edit: the fields as they were.")
    actor = serializers.CharField(
        source="actor.username", default=None, allow_null=True
    )
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
    undone_by = serializers.CharField(
        source="undone_by.username", default=None, allow_null=True
    )
    undoes = serializers.UUIDField(source="undoes.uid", default=None, allow_null=True)

    def get_content(self, revision: Revision) -> str:
        """Return the beginning of the record's text, as it is now."""
        return revision.memory.content[:SHOWN_CHARS]

    def get_replacement(self, revision: Revision) -> str | None:
        """Return the beginning of what took its place, if anything did."""
        new = revision.replacement
        return new.content[:SHOWN_CHARS] if new else None


class RevisionsView(APIView):
    """The decisions about records one may read."""

    @extend_schema(
        operation_id="revisions_list",
        parameters=[RevisionFilters],
        responses={200: RevisionOutput(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List decisions, newest first, a page at a time."""
        asked = query_of(request, RevisionFilters)
        found = Revision.objects.recent_for(request.actor).select_related(
            "memory", "replacement", "actor", "undone_by", "undoes"
        )
        for name, field in (
            ("memory_id", "memory__uid"),
            ("run_id", "run"),
            ("via", "via"),
        ):
            if name in asked:
                check_text(name, str(asked[name]))
                found = found.filter(**{field: asked[name]})
        if asked["undone"] is not None:
            found = found.filter(undone_at__isnull=not asked["undone"])
        return paged(request, found, RevisionOutput)


class UndoInput(StrictSerializer):
    """What to take back: exactly one of the three."""

    memory_id = serializers.UUIDField(required=False)
    run_id = Text(required=False)
    revision_id = serializers.UUIDField(required=False)


class UndoneOutput(serializers.Serializer[Any]):
    """The records that are back, and merged ones that are not needed any more."""

    restored = serializers.ListField(child=serializers.UUIDField())
    retired = serializers.ListField(child=serializers.UUIDField())


class UndoView(APIView):
    """The way back from a decision."""

    @extend_schema(
        operation_id="revisions_undo",
        request=UndoInput,
        responses={200: UndoneOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Take a decision back for good: by its record, its run, or its own id."""
        asked = body_of(request, UndoInput)
        if len(asked) != 1:
            raise BadInput("Send one of memory_id, run_id and revision_id.")
        undone = _undo(request, **asked)
        return Response(
            {
                "restored": [str(memory.uid) for memory in undone.restored],
                "retired": [str(memory.uid) for memory in undone.retired],
            }
        )


def _undo(
    request: ApiRequest,
    *,
    memory_id: Any = None,
    run_id: str | None = None,
    revision_id: Any = None,
) -> undoing.Undone:
    if memory_id:
        return undoing.undo(actor=request.actor, uid=memory_id)
    if revision_id:
        return undoing.undo_revision(actor=request.actor, uid=revision_id)
    check_text("run_id", run_id or "", limit=MAX_RUN)
    return undoing.undo_run(actor=request.actor, run=run_id or "")
