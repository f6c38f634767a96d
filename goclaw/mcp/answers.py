"""Refusals in the one shape of errors, as ASGI messages."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from goclaw.lib.drf import error_body
from goclaw.lib.errors import GoClawError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_MORE_HEADERS = {
    401: (b"www-authenticate", b"Bearer"),
    405: (b"allow", b"POST"),
}


async def refuse(send: Send, error: GoClawError) -> None:
    """Answer a refusal."""
    body = json.dumps(error_body(error), ensure_ascii=False).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if error.status in _MORE_HEADERS:
        headers.append(_MORE_HEADERS[error.status])
    if "retry_after" in error.extra:
        headers.append((b"retry-after", str(error.extra["retry_after"]).encode()))
    await send(
        {"type": "http.response.start", "status": error.status, "headers": headers}
    )
    await send({"type": "http.response.body", "body": body})
