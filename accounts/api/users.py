"""REST: the people of the organisation, for administrators."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import users
from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest, client_ip
from accounts.models import User
from goclaw.lib.drf import Paged, StrictSerializer, paged, render
from goclaw.lib.errors import NotFound


class UserOutput(serializers.Serializer[User]):
    """A person."""

    username = serializers.CharField()
    first_name = serializers.CharField()
    last_name = serializers.CharField()
    email = serializers.CharField()
    timezone = serializers.CharField()
    roles = serializers.SerializerMethodField()
    is_admin = serializers.BooleanField(source="is_superuser")
    is_active = serializers.BooleanField()
    date_joined = serializers.DateTimeField()
    last_login = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_roles(self, user: User) -> list[str]:
        """Return the names of the groups."""
        return sorted(group.name for group in user.groups.all())


class UserChanges(StrictSerializer):
    """What to set of a person; what is left out stays as it is."""

    first_name = serializers.CharField(required=False, max_length=150, allow_blank=True)
    last_name = serializers.CharField(required=False, max_length=150, allow_blank=True)
    email = serializers.EmailField(required=False, max_length=254, allow_blank=True)
    timezone = serializers.CharField(required=False, max_length=64)
    roles = serializers.ListField(
        child=serializers.CharField(max_length=150), required=False, max_length=100
    )
    is_admin = serializers.BooleanField(required=False)
    is_active = serializers.BooleanField(required=False)


class UserInput(UserChanges):
    """A new person."""

    username = serializers.CharField(max_length=150)


class UsersView(APIView):
    """Everybody."""

    @extend_schema(
        operation_id="users_list",
        parameters=[Paged],
        responses={200: UserOutput(many=True)},
    )
    def get(self, request: ApiRequest) -> Response:
        """List people, the newest first."""
        users.check_may_manage(request.actor)
        query_of(request, Paged)
        people = User.objects.prefetch_related("groups")
        return paged(request, people, UserOutput, ordering=("-date_joined", "-id"))

    @extend_schema(
        operation_id="users_create", request=UserInput, responses={201: UserOutput}
    )
    def post(self, request: ApiRequest) -> Response:
        """Add a person without password."""
        data = body_of(request, UserInput)
        user = users.create(actor=request.actor, ip=client_ip(request), **_fields(data))
        return Response(render(UserOutput, user), status=status.HTTP_201_CREATED)


class UserView(APIView):
    """One person."""

    @extend_schema(operation_id="users_read", responses={200: UserOutput})
    def get(self, request: ApiRequest, username: str) -> Response:
        """Read what is known of a person."""
        users.check_may_manage(request.actor)
        user = User.objects.filter(username=username).first()
        if user is None:
            raise NotFound("There is no such person.")
        return Response(render(UserOutput, user))

    @extend_schema(
        operation_id="users_change", request=UserChanges, responses={200: UserOutput}
    )
    def patch(self, request: ApiRequest, username: str) -> Response:
        """Change a person; with `is_active: false` sessions and keys end as well."""
        data = body_of(request, UserChanges)
        user = users.change(
            actor=request.actor,
            username=username,
            ip=client_ip(request),
            **_fields(data),
        )
        return Response(render(UserOutput, user))


def _fields(data: dict[str, Any]) -> dict[str, Any]:
    """Return the input in the words of the model."""
    names = {"is_admin": "is_superuser"}
    return {names.get(name, name): value for name, value in data.items()}
