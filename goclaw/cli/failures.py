"""How commands fail: a sentence, what to do about it, and an exit code."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """The exit codes; `docs/cli.md` explains them."""

    DONE = 0
    FAILED = 1
    BAD_INPUT = 2
    NO_SERVER = 3
    NOT_ALLOWED = 4
    NOT_FOUND = 5
    CONFLICT = 6
    TRY_LATER = 7


_BY_STATUS = {
    400: Exit.BAD_INPUT,
    401: Exit.NOT_ALLOWED,
    403: Exit.NOT_ALLOWED,
    404: Exit.NOT_FOUND,
    409: Exit.CONFLICT,
    413: Exit.BAD_INPUT,
    422: Exit.BAD_INPUT,
    429: Exit.TRY_LATER,
    503: Exit.TRY_LATER,
}


class CommandFailed(Exception):
    """A command cannot do what it was asked; the message is for people."""

    def __init__(
        self,
        message: str,
        *,
        exit_code: Exit = Exit.FAILED,
        remedy: str = "",
        code: str = "failed",
        field: str = "",
        request_id: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.remedy = remedy
        self.code = code
        self.field = field
        self.request_id = request_id

    def as_dict(self) -> dict[str, Any]:
        """Return it in the shape in which the API tells errors."""
        body = {
            "code": self.code,
            "message": self.message,
            "field": self.field,
            "remedy": self.remedy,
            "request_id": self.request_id,
        }
        return {"error": {name: text for name, text in body.items() if text}}


def refused(status: int, error: Mapping[str, Any]) -> CommandFailed:
    """Return the failure for an answer of the API, or for an error of our own."""
    remedy = _INSTEAD.get(status) or error.get("remedy") or _ELSE.get(status, "")
    return CommandFailed(
        str(error.get("message") or f"The server answered with {status}."),
        exit_code=_BY_STATUS.get(status, Exit.FAILED),
        remedy=str(remedy),
        code=str(error.get("code") or "failed"),
        field=str(error.get("field") or ""),
        request_id=str(error.get("request_id") or ""),
    )


_INSTEAD = {
    401: "Set GOCLAW_API_KEY to a valid key; `goclaw key create` makes one.",
}
_ELSE = {
    404: "Is it spelled right? What one may not read is answered in the same way.",
    500: "The server's log says more.",
}
