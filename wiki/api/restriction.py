"""`/api/memory/wiki/restriction`: who reads and writes a section."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import render
from wiki import restricting
from wiki.api.fields import RestrictionInput, RestrictionOutput
from wiki.api.requests import ERRORS, Asked, slug_of


class RestrictionView(APIView):
    """The readers and writers of a section, for administrators."""

    @extend_schema(
        operation_id="wiki_restriction",
        parameters=[Asked],
        responses={200: RestrictionOutput, **ERRORS},
    )
    def get(self, request: ApiRequest) -> Response:
        """Return the restriction that a slug lies in; null fields outside of any."""
        found = restricting.restriction_of(actor=request.actor, slug=slug_of(request))
        return Response(render(RestrictionOutput, found) if found else {"path": None})

    @extend_schema(
        operation_id="wiki_restrict",
        request=RestrictionInput,
        parameters=[Asked],
        responses={200: RestrictionOutput, **ERRORS},
    )
    def put(self, request: ApiRequest) -> Response:
        """Let only these read and write the section; you stay among the writers."""
        data = body_of(request, RestrictionInput)
        found = restricting.restrict(actor=request.actor, slug=slug_of(request), **data)
        return Response(render(RestrictionOutput, found))

    @extend_schema(
        operation_id="wiki_lift_restriction",
        parameters=[Asked],
        responses={204: None, **ERRORS},
    )
    def delete(self, request: ApiRequest) -> Response:
        """Take the restriction away; what is around the section decides again."""
        restricting.lift(actor=request.actor, slug=slug_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
