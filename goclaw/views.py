"""Whether the server is alive and ready, and the JSON pages of errors."""

from django.http import HttpRequest, JsonResponse

from memory.health import Readiness, readiness


def healthz(request: HttpRequest) -> JsonResponse:
    """Say that the process answers; touches nothing else."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether database, workers and model are there; 503 with the reasons if not."""
    state: Readiness = readiness()
    return JsonResponse(
        {"status": "ready" if state.ready else "not ready", "checks": state.checks},
        status=200 if state.ready else 503,
    )
