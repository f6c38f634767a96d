"""The errors that people and agents get to see, one shape for every door."""

from typing import Any, ClassVar


class GoClawError(Exception):
    """A refusal with a stable code, an HTTP status, and what to do about it.

    `field` names the input at fault (dotted), `remedy` says what would work, `extra`
    holds further facts that belong to the code.
    """

    default_code: ClassVar[str] = "error"
    status: ClassVar[int] = 500

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        remedy: str | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.field = field
        self.remedy = remedy
        self.extra = extra

    def as_dict(self) -> dict[str, Any]:
        """Return the body of the `error` object, without the request id."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.field:
            body["field"] = self.field
        if self.remedy:
            body["remedy"] = self.remedy
        return body | self.extra


class Fault(GoClawError):
    """Our own fault: the log has its details, the answer does not."""

    default_code = "internal_error"

    def __init__(self) -> None:
        super().__init__(
            "Something went wrong here.",
            remedy="The log has the details under the request id.",
        )


class BadInput(GoClawError):
    """The input cannot be used as it is."""

    default_code = "invalid"
    status = 400


class Unauthenticated(GoClawError):
    """Nobody is signed in, or the key is not valid."""

    default_code = "unauthenticated"
    status = 401


class Forbidden(GoClawError):
    """The actor may not do that."""

    default_code = "forbidden"
    status = 403


class NotFound(GoClawError):
    """There is no such thing, or it is somebody else's: the answer is the same."""

    default_code = "not_found"
    status = 404


class Conflict(GoClawError):
    """The thing changed in between."""

    default_code = "conflict"
    status = 409


class TooLarge(GoClawError):
    """The input is over its limit."""

    default_code = "content_too_large"
    status = 413


class Unavailable(GoClawError):
    """Something this needs is not there right now; try again as the remedy says."""

    default_code = "unavailable"
    status = 503
