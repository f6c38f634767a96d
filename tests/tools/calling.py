"""Calls of tools through the REST door."""

from typing import Any

from tests.people import Api


def use(api: Api, name: str, **arguments: Any) -> Any:
    """Call a tool; return `{text, data}`. Fails unless it was answered."""
    answer = api.post(f"/tools/{name}", arguments)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def refused(api: Api, name: str, **arguments: Any) -> tuple[int, dict[str, Any]]:
    """Call a tool that is to be refused; return status and error."""
    answer = api.post(f"/tools/{name}", arguments)
    assert answer.status_code >= 400, answer.json()
    return answer.status_code, answer.json()["error"]


def names(api: Api) -> set[str]:
    """Return the names of the tools that are listed."""
    listed = api.get("/tools").json()["tools"]
    return {tool["function"]["name"] for tool in listed}


def schema_of(api: Api, name: str) -> dict[str, Any]:
    """Return the JSON schema of a listed tool's arguments."""
    (found,) = (
        tool["function"]["parameters"]
        for tool in api.get("/tools").json()["tools"]
        if tool["function"]["name"] == name
    )
    return found


def note_file(tmp_path: Any, text: str, name: str = "2026-03-27.md") -> None:
    """Write a daily note as an agent's own file."""
    folder = tmp_path / "workspace" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
