"""Whether the server is alive and ready, and errors that no view has seen."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from prometheus_client import CONTENT_TYPE_LATEST

from accounts.authentication import actor_from_headers
from accounts.http import BrowserRequest
from goclaw.lib.drf import error_body
from goclaw.lib.errors import BadInput, Fault, GoClawError, NotFound, Unauthenticated
from memory import access
from memory.health import readiness
from memory.metrics import text

JSON_PATHS = ("/api/", "/agentic/", "/v1/")


def healthz(request: HttpRequest) -> JsonResponse:
    """Say that the process answers; touches nothing else."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether database, workers and model are there; 503 with reasons if not."""
    state = readiness()
    response = JsonResponse(
        {"status": "ready" if state.ready else "not ready", "checks": state.checks},
        status=200 if state.ready else 503,
    )
    # Not being ready yet is an answer, not a fault: a probe must not fill the log.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def metrics(request: BrowserRequest) -> HttpResponse:
    """Answer Prometheus: with an administrator's key, or signed in as one."""
    try:
        found = actor_from_headers(request.headers)
        actor = found[1] if found else request.actor
        if not actor.is_authenticated:
            raise Unauthenticated("Send an administrator's key.")
        access.can_administrate(actor).require()
    except GoClawError as error:
        return _json(error)
    return HttpResponse(text(), content_type=CONTENT_TYPE_LATEST)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what no view could take: JSON for programs, a page for people."""
    if request.path.startswith(JSON_PATHS):
        return _json(BadInput("The request cannot be understood."))
    return defaults.bad_request(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that leads nowhere."""
    if request.path.startswith(JSON_PATHS):
        return _json(
            NotFound("There is no such address.", remedy="See /api/docs/ for the API.")
        )
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer our own fault without its details, which are in the log."""
    if request.path.startswith(JSON_PATHS):
        return _json(Fault())
    return defaults.server_error(request)


def _json(error: GoClawError) -> JsonResponse:
    return JsonResponse(error_body(error), status=error.status)
