"""Do a POST once, however often a client that heard no answer sends it."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http import ApiRequest
from goclaw.lib.errors import BadInput
from memory.drafts import canonical
from memory.locks import lock
from memory.models import IdempotentAnswer

KEY = OpenApiParameter("Idempotency-Key", str, "header")
"""For the schema of what is `idempotent`."""
KEPT = timedelta(hours=24)
MAX_KEY = 128

P = ParamSpec("P")
V = TypeVar("V", bound=APIView)
Handler = Callable[Concatenate[V, ApiRequest, P], Response]


def idempotent(handler: Handler[V, P]) -> Handler[V, P]:
    """Honour `Idempotency-Key`: the work and the kept answer share a transaction.

    The same key with another body is refused with 422; refusals are not kept.
    """

    @wraps(handler)
    def once(
        view: V, request: ApiRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not 0 < len(key) <= MAX_KEY or not key.isprintable():
            raise BadInput(
                f"Idempotency-Key takes up to {MAX_KEY} printable characters.",
                field="Idempotency-Key",
            )
        with transaction.atomic():
            lock(("idempotency", request.actor.user_id, key))
            kept = _kept(request, key)
            if kept is None:
                response = handler(view, request, *args, **kwargs)
                _keep(request, key, response)
                return response
            if kept.request_hash != _request_hash(request):
                raise _Reused(
                    "This Idempotency-Key was used for another request.",
                    code="idempotency_key_reused",
                    field="Idempotency-Key",
                    remedy="Send a new key with a new request.",
                )
        return Response(
            kept.body, status=kept.status, headers={"Idempotent-Replay": "true"}
        )

    return once


class _Reused(BadInput):
    status = 422


def _kept(request: ApiRequest, key: str) -> IdempotentAnswer | None:
    answers = IdempotentAnswer.objects.filter(user=request.user, key=key)
    answers.filter(created_at__lte=timezone.now() - KEPT).delete()
    return answers.first()


def _keep(request: ApiRequest, key: str, response: Response) -> None:
    IdempotentAnswer.objects.create(
        user=request.user,
        key=key,
        request_hash=_request_hash(request),
        status=response.status_code,
        body=_plain(response.data),
    )


def _plain(data: Any) -> Any:
    """Return the answer as plain JSON values, as the client got it."""
    return json.loads(JSONRenderer().render(data))


def _request_hash(request: ApiRequest) -> str:
    said = [request.method, request.get_full_path(), _fields(request), _files(request)]
    text = canonical(said)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _fields(request: ApiRequest) -> Any:
    """Return what was sent besides files; of a form the lists of values by name."""
    if not isinstance(request.data, QueryDict):
        return request.data
    return {
        name: values
        for name, values in request.data.lists()
        if name not in request.FILES
    }


def _files(request: ApiRequest) -> list[list[str]]:
    """Return field, name and SHA-256 of each file that was sent."""
    found = []
    for field, files in request.FILES.lists():
        for file in files:
            digest = hashlib.sha256()
            for chunk in file.chunks():
                digest.update(chunk)
            file.seek(0)
            found.append([field, file.name or "", digest.hexdigest()])
    return found
