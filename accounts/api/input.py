"""What a request says, checked; times without an offset are in the person's zone."""

from typing import Any

from rest_framework.serializers import Serializer

from accounts.http import ApiRequest
from goclaw.lib.drf import parse


def body_of(request: ApiRequest, form: type[Serializer[Any]]) -> dict[str, Any]:
    """Return the checked body."""
    return parse(form, request.data, timezone=request.actor.timezone)


def query_of(request: ApiRequest, form: type[Serializer[Any]]) -> dict[str, Any]:
    """Return the checked query parameters."""
    return parse(form, request.query_params, timezone=request.actor.timezone)
