"""Give every request an id and say how long it took."""

import re
import time
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from goclaw.lib.logs import request_id
from goclaw.lib.metrics import count_request

_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,64}")


def request_id_for(given: str) -> str:
    """Return the id that the caller gave, or a new one where it can be none."""
    return given if _ACCEPTED.fullmatch(given) else uuid.uuid4().hex[:16]


class RequestIdMiddleware:
    """Take the caller's `X-Request-ID` or make one; answer it with the timing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        token = request_id.set(request_id_for(given))
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = request_id.get()
        finally:
            request_id.reset(token)
        took_ms = (time.perf_counter() - started) * 1000
        count_request(request.method, response.status_code)
        response["Server-Timing"] = f"app;dur={took_ms:.1f}"
        return response
