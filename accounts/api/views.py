"""REST views: who am I, and keys."""

from django.contrib.auth.models import Group
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from accounts import key_rules, keys
from accounts.api.input import body_of, query_of
from accounts.api.serializers import (
    KeyInput,
    KeyOutput,
    MeOutput,
    NewKeyOutput,
    rights_of,
)
from accounts.http import ApiRequest, client_ip
from accounts.models import ApiKey, User
from goclaw.lib.drf import Paged, paged, render
from goclaw.lib.errors import BadInput


class MeView(APIView):
    """Who is acting."""

    @extend_schema(responses=MeOutput)
    def get(self, request: ApiRequest) -> Response:
        """Return the actor of this request."""
        actor = request.actor
        roles = Group.objects.filter(pk__in=actor.group_ids).order_by("name")
        facts = {
            "username": actor.username,
            "is_admin": actor.is_admin,
            "roles": list(roles.values_list("name", flat=True)),
            "timezone": actor.timezone,
            "run": actor.run.value,
            "conversation": actor.conversation.value,
            "key": request.auth and request.auth.prefix,
        }
        return Response(render(MeOutput, facts))


class KeyViewSet(mixins.RetrieveModelMixin, GenericViewSet[ApiKey]):
    """API keys: a person's own, all of them for administrators."""

    request: ApiRequest
    queryset = ApiKey.objects.none()
    serializer_class = KeyOutput
    lookup_value_converter = "int"

    def get_queryset(self) -> QuerySet[ApiKey]:
        """Return the keys the actor may see; another's key is not there."""
        key_rules.check_manages(self.request.actor)
        return ApiKey.objects.readable_by(self.request.actor).select_related("owner")

    @extend_schema(parameters=[Paged])
    def list(self, request: ApiRequest) -> Response:
        """List keys, the newest first."""
        query_of(request, Paged)
        return paged(request, self.get_queryset(), KeyOutput)

    @extend_schema(request=KeyInput, responses={201: NewKeyOutput})
    def create(self, request: ApiRequest) -> Response:
        """Make a key; its secret is in this answer only."""
        data = body_of(request, KeyInput)
        rights = rights_of(data)
        key, secret = keys.create(
            actor=request.actor,
            owner=_owner(request, data.get("owner"), rights),
            label=data["label"],
            rights=rights,
            ip=client_ip(request),
        )
        return _with_secret(key, secret, status.HTTP_201_CREATED)

    @extend_schema(responses={204: None})
    def destroy(self, request: ApiRequest, pk: int) -> Response:
        """Revoke a key; it stays in the list as revoked."""
        keys.revoke(actor=request.actor, key=self.get_object(), ip=client_ip(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=None, responses={200: NewKeyOutput})
    @action(detail=True, methods=["post"])
    def rotate(self, request: ApiRequest, pk: int) -> Response:
        """Give an own key a new secret; it is in this answer only."""
        key = self.get_object()
        secret = keys.rotate(actor=request.actor, key=key, ip=client_ip(request))
        return _with_secret(key, secret, status.HTTP_200_OK)


def _owner(
    request: ApiRequest, username: str | None, rights: key_rules.KeyRights
) -> User:
    """Return the named owner, the caller without a name.

    Who may not make keys for others learns nothing about who exists.
    """
    caller = request.user
    if username is None or username == caller.username:
        return caller
    key_rules.check_may_give(request.actor, for_other=True, rights=rights)
    owner = User.objects.filter(username=username, is_active=True).first()
    if owner is None:
        raise BadInput("There is no such active person.", field="owner")
    return owner


def _with_secret(key: ApiKey, secret: str, status_code: int) -> Response:
    response = Response(
        {**render(KeyOutput, key), "secret": secret}, status=status_code
    )
    response["Cache-Control"] = "no-store"
    return response
