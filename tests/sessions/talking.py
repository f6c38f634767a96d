"""Conversations for tests, held through the API."""

from dataclasses import replace
from typing import Any

from accounts.models import User
from tests.people import Api, api_for


def gateway(owner: User) -> Api:
    """Make a gateway's key, which acts for whomever it names."""
    return api_for(owner, may_act_for_others=True)


def acting_for(api: Api, person: User, conversation: str = "direct") -> Api:
    """Return the gateway's client that names a person."""
    headers = {
        "X-GoClaw-User": person.username,
        "X-GoClaw-Conversation": conversation,
    }
    return replace(api, headers=api.headers | headers)


def opened(api: Api, **fields: Any) -> str:
    """Open a session; return its address below /api."""
    answer = api.post("/sessions", fields)
    assert answer.status_code in {200, 201}, answer.json()
    return f"/sessions/{answer.json()['id']}"


def said(content: str, role: str = "user", **fields: Any) -> dict[str, Any]:
    """Return a message."""
    return {"role": role, "content": content, **fields}


def say(api: Api, session: str, *messages: dict[str, Any] | str) -> Any:
    """Append messages; return the results. Fails unless they were accepted."""
    sent = [said(m) if isinstance(m, str) else m for m in messages]
    answer = api.post(f"{session}/messages", {"messages": sent})
    assert answer.status_code in {200, 201}, answer.json()
    return answer.json()["results"]


def heard(api: Api, session: str, **params: Any) -> list[str]:
    """Return the contents of the session's messages, all pages in order."""
    found: list[str] = []
    body = api.get(f"{session}/messages", page_size=200, **params).json()
    while True:
        found += [message["content"] for message in body["results"]]
        if not body["next"]:
            return found
        path, _, query = body["next"].partition("/api")[2].partition("?")
        pairs = dict(pair.split("=", 1) for pair in query.split("&"))
        body = api.get(path, **{k: v.replace("%3D", "=") for k, v in pairs.items()})
        body = body.json()
