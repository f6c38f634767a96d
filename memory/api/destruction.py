"""`/api/memory/forget`, `clear`, `clear-user`: counts first, then for good."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, When
from memory.api.fields import ErrorOutput
from memory.backups.copying import SafetyCopy
from memory.erasing.people import erase
from memory.erasing.selecting import Done, Selection, clear, forget_many
from memory.scopes import Kind, Scope

ERRORS = {400: ErrorOutput, 403: ErrorOutput, 404: ErrorOutput, 409: ErrorOutput}


class Careful(StrictSerializer):
    """What every destructive call takes; without a word nothing is changed."""

    dry_run = serializers.BooleanField(
        required=False, default=True, help_text="Change nothing, count."
    )
    backed_up = serializers.BooleanField(
        required=False, default=False, help_text="PostgreSQL: a copy has been made."
    )


class ForgetInput(Careful):
    """Which records: by id, or all that match."""

    ids = serializers.ListField(
        child=serializers.UUIDField(), required=False, default=list, max_length=500
    )
    scope = serializers.ChoiceField(Scope.choices, required=False)
    kind = serializers.ChoiceField(Kind.choices, required=False)
    domain = serializers.CharField(required=False, max_length=64)
    tag = serializers.CharField(required=False, max_length=64)
    until = When(required=False, help_text="Observed before.")


class ClearInput(Careful):
    """Which records to delete for good."""

    scope = serializers.CharField(max_length=16)
    domain = serializers.CharField(required=False, default="", max_length=64)


class ClearUserInput(Careful):
    """Whom to erase."""

    username = serializers.CharField(max_length=150)
    account = serializers.BooleanField(
        required=False, default=False, help_text="The account and its keys as well."
    )


class DoneOutput(serializers.Serializer[Any]):
    """What was done, or would be."""

    dry_run = serializers.BooleanField()
    counts = serializers.DictField(child=serializers.IntegerField())
    safety_copy = serializers.CharField(allow_null=True)
    copy_deleted_at = serializers.DateTimeField(allow_null=True)


class ForgetView(APIView):
    """Many records at once."""

    @extend_schema(
        operation_id="memory_forget",
        request=ForgetInput,
        responses={200: DoneOutput, **ERRORS},
    )
    def post(self, request: ApiRequest) -> Response:
        """Count the records, or with `dry_run: false` forget them for 30 days."""
        data = body_of(request, ForgetInput)
        careful = {name: data.pop(name) for name in ("dry_run", "backed_up")}
        done = forget_many(actor=request.actor, selection=Selection(**data), **careful)
        return _answer(done, dry_run=careful["dry_run"])


class ClearView(APIView):
    """A whole scope."""

    @extend_schema(
        operation_id="memory_clear",
        request=ClearInput,
        responses={200: DoneOutput, **ERRORS},
    )
    def post(self, request: ApiRequest) -> Response:
        """Count a scope's records, or with `dry_run: false` delete them for good."""
        data = body_of(request, ClearInput)
        done = clear(actor=request.actor, **data)
        return _answer(done, dry_run=data["dry_run"])


class ClearUserView(APIView):
    """All that is of a person."""

    @extend_schema(
        operation_id="memory_clear_user",
        request=ClearUserInput,
        responses={200: DoneOutput, **ERRORS},
    )
    def post(self, request: ApiRequest) -> Response:
        """Count what is of a person, or with `dry_run: false` erase it for good."""
        data = body_of(request, ClearUserInput)
        done = erase(actor=request.actor, **data)
        return _answer(done, dry_run=data["dry_run"])


def copy_json(copy: SafetyCopy | None) -> dict[str, Any]:
    """Return where the copy is, as answers say it."""
    return {
        "safety_copy": str(copy.path) if copy else None,
        "copy_deleted_at": copy.deleted_at if copy else None,
    }


def _answer(done: Done, *, dry_run: bool) -> Response:
    return Response({"dry_run": dry_run, "counts": done.counts} | copy_json(done.copy))
