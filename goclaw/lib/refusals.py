"""What REST framework refuses, in our words: a stable code, and what would work."""

from collections.abc import Iterator
from typing import Any

from rest_framework import exceptions, serializers

from goclaw.lib.errors import BadInput

# REST framework's own refusals, in our stable codes.
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


def body_of_refusal(exc: exceptions.APIException, view: Any) -> dict[str, Any]:
    """Return the inside of our error shape; `view` is what was asked."""
    if isinstance(exc, exceptions.ValidationError):
        return bad_input(exc, None).as_dict()
    body = {"code": _CODES.get(type(exc), "error"), "message": str(exc.detail)}
    if remedy := _remedy(exc, view):
        body["remedy"] = remedy
    return body


def _remedy(exc: exceptions.APIException, view: Any) -> str:
    match exc:
        case exceptions.NotAuthenticated():
            return "Send a key of yours: Authorization: Bearer gck_…"
        case exceptions.Throttled():
            return f"Try again in {seconds_to_wait(exc)} seconds."
        case exceptions.MethodNotAllowed():
            return f"This address takes {', '.join(view.allowed_methods)}."
        case exceptions.UnsupportedMediaType():
            taken = (parser.media_type for parser in view.parser_classes)
            return f"Send Content-Type: {' or '.join(taken)}."
        case exceptions.NotAcceptable():
            return "Send Accept: application/json, or leave it out."
    return ""


def seconds_to_wait(exc: exceptions.APIException) -> int:
    """Return after how many whole seconds a throttled request may come again."""
    wait: float = getattr(exc, "wait", None) or 0
    return int(wait) + 1


def bad_input(
    exc: exceptions.ValidationError, serializer: serializers.Serializer[Any] | None
) -> BadInput:
    """Return a serializer's first refusal; the serializer knows what would do."""
    field, detail = next(_details(exc.detail), ("", "Invalid input."))
    unknown = getattr(detail, "code", "") == "unknown_field"
    holder = field.rpartition(".")[0] if unknown else field
    found = _field_at(serializer, holder) if serializer else None
    remedy = None
    if unknown and isinstance(found, serializers.Serializer):
        remedy = f"Known are {', '.join(sorted(found.fields))}."
    elif isinstance(found, serializers.ChoiceField):
        remedy = f"Use one of {', '.join(str(choice) for choice in found.choices)}."
    code = "unknown_field" if unknown else None
    return BadInput(str(detail), code=code, field=field, remedy=remedy)


def _details(detail: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted field, message) of a nested validation error, in order."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            part = "" if name == "non_field_errors" else str(name)
            yield from _details(inner, ".".join(filter(None, (path, part))))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _details(inner, path)
    else:
        yield path, detail


def _field_at(field: Any, path: str) -> Any:
    """Return the field of a dotted path, None where a name of it leads nowhere."""
    for name in path.split(".") if path else ():
        if isinstance(field, serializers.Serializer):
            field = field.fields.get(name)
        else:
            field = getattr(field, "child", None)
    return field
