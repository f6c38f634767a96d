"""`/api/memory/facts`: keyed facts, addressed by scope, domain and key."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, StrictSerializer, When, paged, render
from goclaw.lib.errors import BadInput, NotFound
from memory import changes
from memory.api.fields import ErrorOutput, RecordOutput, Text, WrittenOutput
from memory.api.records import ERRORS, with_relations, written_json
from memory.api.versions import etag
from memory.drafts import Draft, check_text
from memory.lifecycle import learning
from memory.models import Memory
from memory.models.memories import MemoryQuerySet
from memory.scopes import WRITABLE_SCOPES, Kind

NO_DOMAIN = "-"
"""Stands for the empty domain in an address."""


class FactFilters(Paged):
    """Which facts to list."""

    scope = serializers.ChoiceField([str(s) for s in WRITABLE_SCOPES], required=False)
    domain = serializers.CharField(required=False)


class FactInput(StrictSerializer):
    """The value of a keyed fact; text for search is made from it if none is given."""

    value = serializers.JSONField()
    content = Text(required=False, default="")
    kind = Text(required=False, default=Kind.FACT.value)
    tags = serializers.ListField(child=Text(), required=False, default=list)
    importance = serializers.IntegerField(required=False, default=5)
    observed_at = When(required=False, allow_null=True, default=None)
    expires_at = When(required=False, allow_null=True, default=None)


class FactsView(APIView):
    """The live keyed facts one may read."""

    @extend_schema(
        operation_id="facts_list",
        parameters=[FactFilters],
        responses={200: RecordOutput(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List keyed facts, newest first, a page at a time."""
        filters = query_of(request, FactFilters)
        found = _live(request).exclude(key="")
        for name in filters.keys() & {"scope", "domain"}:
            found = found.filter(**{name: filters[name]})
        return paged(request, with_relations(found), RecordOutput)


class FactView(APIView):
    """One keyed fact."""

    @extend_schema(operation_id="facts_read", responses={200: RecordOutput, **ERRORS})
    def get(self, request: ApiRequest, scope: str, domain: str, key: str) -> Response:
        """Read the live fact of a key."""
        memory = _find(request, scope, domain, key)
        return Response(render(RecordOutput, memory), headers=etag(memory.version))

    @extend_schema(
        operation_id="facts_set",
        request=FactInput,
        responses={200: WrittenOutput, 201: WrittenOutput, **ERRORS},
    )
    def put(self, request: ApiRequest, scope: str, domain: str, key: str) -> Response:
        """Set a fact; the one before it is superseded. 200 if it said so already."""
        data = body_of(request, FactInput)
        if data["value"] is None:
            raise BadInput("A fact has a value.", field="value")
        draft = Draft(scope=scope, domain=_domain(domain), key=key, **data)
        written = learning.write(actor=request.actor, draft=draft)
        return Response(
            written_json(request, written),
            status=status.HTTP_200_OK
            if written.deduplicated
            else status.HTTP_201_CREATED,
            headers=etag(written.memory.version),
        )

    @extend_schema(operation_id="facts_forget", responses={204: None, **ERRORS})
    def delete(
        self, request: ApiRequest, scope: str, domain: str, key: str
    ) -> Response:
        """Forget the live fact of a key, restorable for 30 days."""
        memory = _find(request, scope, domain, key)
        changes.forget(actor=request.actor, uid=memory.uid)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _live(request: ApiRequest) -> MemoryQuerySet:
    return Memory.objects.readable_by(request.actor).live().current()


def _find(request: ApiRequest, scope: str, domain: str, key: str) -> Memory:
    found: dict[str, Any] = {"scope": scope, "domain": _domain(domain), "key": key}
    for name, text in found.items():
        check_text(name, text)
    memory = with_relations(_live(request)).filter(**found).first()
    if memory is None:
        raise NotFound("There is no such fact.")
    return memory


def _domain(text: str) -> str:
    return "" if text == NO_DOMAIN else text
