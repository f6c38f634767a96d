"""What all API views share: errors, strict input, times, keyset pagination."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.utils.timezone import get_current_timezone, override
from rest_framework import exceptions, serializers
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from goclaw.lib.errors import BadInput, GoClawError
from goclaw.lib.logs import request_id

# DRF's own refusals, in our stable codes.
_CODES = {
    exceptions.ParseError: "malformed_json",
    exceptions.NotAuthenticated: "unauthenticated",
    exceptions.AuthenticationFailed: "unauthenticated",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
}


def error_body(error: GoClawError) -> dict[str, Any]:
    """Return the one JSON shape of an error."""
    return {"error": error.as_dict() | {"request_id": request_id.get()}}


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Answer refusals in the one shape; None lets a real fault become a logged 500."""
    if isinstance(exc, GoClawError):
        set_rollback()
        headers = {"WWW-Authenticate": "Bearer"} if exc.status == 401 else None
        return Response(error_body(exc), status=exc.status, headers=headers)
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if not isinstance(exc, exceptions.APIException):
        return None
    set_rollback()
    body, headers = _body_of(exc)
    body["request_id"] = request_id.get()
    return Response({"error": body}, status=exc.status_code, headers=headers)


def _body_of(exc: exceptions.APIException) -> tuple[dict[str, Any], dict[str, str]]:
    headers = {}
    if header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if isinstance(exc, exceptions.ValidationError):
        return validation_body(exc), headers
    body = {"code": _CODES.get(type(exc), "error"), "message": str(exc.detail)}
    wait = getattr(exc, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(int(wait) + 1)
        body["remedy"] = f"Try again in {int(wait) + 1} seconds."
    return body, headers


def validation_body(exc: exceptions.ValidationError) -> dict[str, Any]:
    """Return a serializer's first refusal as the inside of our error shape."""
    field, message = next(_messages(exc.detail), ("", "Invalid input."))
    body = {"code": "invalid", "message": message}
    if field:
        body["field"] = field
    return body


def _messages(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield (dotted field, message) of a nested validation error, in order."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            part = "" if name == "non_field_errors" else str(name)
            yield from _messages(inner, ".".join(filter(None, (path, part))))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _messages(inner, path)
    else:
        yield path, str(detail)


class KeysetPagination(CursorPagination):
    """Pages by `(created_at, id)`, newest first: stable while rows come and go."""

    ordering: tuple[str, ...] = ("-created_at", "-id")
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


def paged(
    request: Request,
    rows: QuerySet[Any],
    output: type[serializers.Serializer[Any]],
    *,
    ordering: tuple[str, ...] = KeysetPagination.ordering,
) -> Response:
    """Answer one page of the rows: `{next, previous, results}`."""
    pages = KeysetPagination()
    pages.ordering = ordering
    page = pages.paginate_queryset(rows, request) or []
    return pages.get_paginated_response([render(output, row) for row in page])


class StrictSerializer(serializers.Serializer[Any]):
    """Input in which an unknown field is an error, not something to ignore."""

    def to_internal_value(self, data: Any) -> Any:
        """Check the names first, so that a typing mistake is named as such."""
        if isinstance(data, Mapping):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise BadInput(
                    f"Unknown field {unknown[0]!r}.",
                    code="unknown_field",
                    field=str(unknown[0]),
                    remedy=f"Known are {', '.join(sorted(self.fields))}.",
                )
        return super().to_internal_value(data)


class Paged(StrictSerializer):
    """A page of a list by keyset."""

    cursor = serializers.CharField(required=False)
    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=KeysetPagination.max_page_size
    )


class When(serializers.DateTimeField):
    """A point in time, kept in UTC; without an offset it is in the actor's zone."""

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return the time in UTC; refuses what lies outside the calendar."""
        zone = get_current_timezone()
        try:
            aware = value if value.tzinfo else value.replace(tzinfo=zone)
            return aware.astimezone(UTC)
        except OverflowError:
            self.fail("overflow")


def parse(
    serializer: type[serializers.Serializer[Any]], data: Any, *, timezone: str
) -> dict[str, Any]:
    """Return the checked input; query parameters become plain values first."""
    bound = _shared(serializer)
    if isinstance(data, QueryDict):
        data = {
            name: data.getlist(name)
            if isinstance(bound.fields.get(name), serializers.ListField)
            else data[name]
            for name in data
        }
    with override(ZoneInfo(timezone)):
        return dict(bound.run_validation(data))


def render(serializer: type[serializers.Serializer[Any]], value: Any) -> dict[str, Any]:
    """Return an output as plain data."""
    return dict(_shared(serializer).to_representation(value))


@cache
def _shared(serializer: type[serializers.Serializer[Any]]) -> Any:
    """Return one serializer for all requests: its fields take longer to make than use.

    What is asked of it keeps nothing in it, so threads may share it.
    """
    return serializer()
