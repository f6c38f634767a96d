"""Calls to the addresses of other services."""

from typing import Any

from rest_framework.response import Response

from tests.people import Api, _client


def ask(
    api: Api, method: str, path: str, /, body: Any = None, **params: Any
) -> Response:
    """Send a request outside of `/api/`, with the key and headers of `api`."""
    headers = {"Authorization": f"Bearer {api.secret}"} | api.headers
    if method == "get":
        return _client().get(path, params, headers=headers)
    return getattr(_client(), method)(path, body, format="json", headers=headers)


def agentic(
    api: Api, method: str, path: str, /, body: Any = None, **params: Any
) -> Any:
    """Call Agentic Memory's address; return the JSON. Fails unless it was answered."""
    answer = ask(api, method, f"/agentic/{path}", body, **params)
    assert answer.status_code == 200, answer.content
    return answer.json()


def store(api: Api, content: str, **fields: Any) -> Any:
    """Store something."""
    return agentic(api, "post", "store", {"content": content, **fields})


def search(api: Api, query: str, **fields: Any) -> list[dict[str, Any]]:
    """Search; return the results."""
    found = agentic(api, "post", "search", {"query": query, **fields})
    results: list[dict[str, Any]] = found["results"]
    return results
