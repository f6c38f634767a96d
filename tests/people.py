"""People, keys and API clients for tests, made through the real services."""

import threading
from dataclasses import dataclass, field
from typing import Any

from rest_framework.response import Response
from rest_framework.test import APIClient

from accounts import keys
from accounts.actors import system_actor
from accounts.key_rules import KeyRights
from accounts.kinds import KEY_RUNS
from accounts.models import User

_clients = threading.local()


def _client() -> APIClient:
    """Return this thread's client; a new one would build the middleware anew."""
    if not hasattr(_clients, "client"):
        _clients.client = APIClient()
    client: APIClient = _clients.client
    return client


@dataclass
class Api:
    """Calls the REST API with one key and its headers, in JSON."""

    secret: str
    headers: dict[str, str] = field(default_factory=dict)

    def __call__(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> Response:
        sent = {"Authorization": f"Bearer {self.secret}"} | self.headers
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        send = getattr(_client(), method.lower())
        return send(f"/api{path}", body, format="json", headers=sent)

    def get(self, path: str, /, **params: Any) -> Response:
        sent = {"Authorization": f"Bearer {self.secret}"} | self.headers
        return _client().get(f"/api{path}", params, headers=sent)

    def post(self, path: str, body: Any = None, **headers: str) -> Response:
        return self("post", path, body, **headers)

    def write(self, content: str, scope: str = "personal", **fields: Any) -> Any:
        """Write a record; return its JSON. Fails unless it was accepted."""
        answer = self.post(
            "/memory/records", {"scope": scope, "content": content, **fields}
        )
        assert answer.status_code in {200, 201}, answer.json()
        return answer.json()

    def search(self, query: str, **fields: Any) -> Any:
        """Search; return the results. Fails unless it was answered."""
        answer = self.post("/memory/search", {"query": query, "min_score": 0, **fields})
        assert answer.status_code == 200, answer.json()
        return answer.json()["results"]


def make_user(name: str, **fields: Any) -> User:
    """Make a person."""
    return User.objects.create_user(username=name, **fields)


def make_admin(name: str = "admin", **fields: Any) -> User:
    """Make an administrator."""
    return User.objects.create_superuser(username=name, **fields)


def api_for(user: User, *, run: str = "chat", **rights: Any) -> Api:
    """Make a key of a person for one run kind, and return a client that uses it."""
    _, secret = keys.create(
        actor=system_actor(),
        owner=user,
        label=f"{run} of {user.username}",
        rights=KeyRights(runs=KEY_RUNS, **rights),
    )
    return Api(secret, {"X-GoClaw-Run": run})


def error_of(answer: Any) -> dict[str, Any]:
    """Return the error of a refusal, which has the one shape of all errors."""
    body = answer.json()
    assert set(body) == {"error"}
    error: dict[str, Any] = body["error"]
    assert error["code"]
    assert error["message"]
    assert error["request_id"]
    return error
