"""What all API views share: errors, strict input, times, keyset pagination."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied, ValidationError
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
from goclaw.lib.refusals import bad_input, body_of_refusal, seconds_to_wait


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
    body = body_of_refusal(exc, context.get("view")) | {"request_id": request_id.get()}
    return Response({"error": body}, status=exc.status_code, headers=_headers(exc))


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if isinstance(exc, exceptions.Throttled):
        headers["Retry-After"] = str(seconds_to_wait(exc))
    return headers


class KeysetPagination(CursorPagination):
    """Pages by `(created_at, id)`, newest first: stable while rows come and go."""

    ordering: tuple[str, ...] = ("-created_at", "-id")
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def paginate_queryset(
        self, queryset: Any, request: Request, view: Any = None
    ) -> list[Any] | None:
        """Return the rows of the page that the cursor names."""
        self._model = queryset.model
        return super().paginate_queryset(queryset, request, view)

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor; one that we did not make is refused, not searched for."""
        try:
            cursor = super().decode_cursor(request)
            if cursor is not None:
                self._check(cursor)
        except (exceptions.NotFound, ValidationError, ValueError, OverflowError):
            raise BadInput(
                "This cursor is not one of ours.",
                field="cursor",
                remedy="Take `next` of an answer as it is, or leave the cursor out.",
            ) from None
        return cursor

    def _check(self, cursor: Any) -> None:
        """Raise what the column would at a place that it cannot hold."""
        offset, reverse, position = cursor
        if not (offset or reverse or position):
            raise ValueError
        if position is not None:
            column = self._model._meta.get_field(self.ordering[0].lstrip("-"))
            value = column.to_python(position)
            if isinstance(value, datetime):
                value.astimezone(UTC)


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
                raise serializers.ValidationError(
                    {unknown[0]: f"Unknown field {unknown[0]!r}."}, "unknown_field"
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
    """Return the checked input, or raise BadInput; parameters become values first."""
    bound = _shared(serializer)
    if isinstance(data, QueryDict):
        data = {name: _value(data, name, bound.fields.get(name)) for name in data}
    try:
        with override(ZoneInfo(timezone)):
            return dict(bound.run_validation(data))
    except serializers.ValidationError as refused:
        raise bad_input(refused, bound) from None


def _value(query: QueryDict, name: str, field: Any) -> Any:
    """Return what a parameter says; of two values none can be meant."""
    values = query.getlist(name)
    if isinstance(field, serializers.ListField):
        return values
    if len(values) > 1:
        raise BadInput(f"{name} is given {len(values)} times.", field=name)
    return values[0]


def render(serializer: type[serializers.Serializer[Any]], value: Any) -> dict[str, Any]:
    """Return an output as plain data."""
    return dict(_shared(serializer).to_representation(value))


@cache
def _shared(serializer: type[serializers.Serializer[Any]]) -> Any:
    """Return one serializer for all requests: its fields take longer to make than use.

    What is asked of it keeps nothing in it, so threads may share it.
    """
    return serializer()
