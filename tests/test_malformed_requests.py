"""Requests that no program should send: each is refused by name, with what would do."""

from base64 import b64encode
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from tests.people import Api, api_for, error_of, make_admin

pytestmark = pytest.mark.django_db

LISTS = [
    "/files",
    "/jobs",
    "/keys",
    "/memory/facts",
    "/memory/records",
    "/memory/revisions",
    "/memory/wiki",
    "/memory/wiki/links/broken",
    "/memory/wiki/recent",
    "/memory/wiki/trash",
    "/review/items",
    "/review/items?state=decided",
    "/sessions",
    "/users",
    "/workspace/files",
]
POSITIONS = {
    "no base64": "%%%",
    "no position's form": b64encode(b"p=2026").decode(),
    "no time": b64encode(b"p=x").decode(),
    "beyond the calendar": b64encode(
        quote("p=9999-12-31 23:59:59-23:00", safe="=").encode()
    ).decode(),
    "no UTF-8": b64encode(b"\xff\xfe").decode(),
}


@pytest.mark.parametrize("cursor", POSITIONS.values(), ids=POSITIONS.keys())
@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_that_is_not_ours_is_refused(path: str, cursor: str) -> None:
    admin = api_for(make_admin())
    address, _, query = path.partition("?")
    params = dict(part.split("=") for part in query.split("&") if part)
    answer = admin.get(address, cursor=cursor, **params)
    if path.endswith("broken") and answer.status_code == 200:
        return  # in order of numbers, in which "2026" is a place
    assert answer.status_code == 400
    refused = error_of(answer)
    assert (refused["code"], refused["field"]) == ("invalid", "cursor")
    assert "next" in refused["remedy"]


@pytest.mark.parametrize("path", LISTS)
def test_a_list_refuses_what_it_does_not_know(path: str) -> None:
    admin = api_for(make_admin())
    address, _, query = path.partition("?")
    params = dict(part.split("=") for part in query.split("&") if part)
    answer = admin.get(address, colour="red", **params)
    assert answer.status_code == 400
    assert error_of(answer)["field"] == "colour"


def test_cursors_of_messages_and_revisions_are_numbers(alice_api: Api) -> None:
    made = alice_api.post("/sessions", {}).json()
    answer = alice_api.get(f"/sessions/{made['id']}/messages", cursor="cD14")
    assert (answer.status_code, error_of(answer)["field"]) == (400, "cursor")


def test_a_parameter_that_is_given_twice_is_refused(alice_api: Api) -> None:
    answer = alice_api.get("/memory/records?scope=personal&scope=agent_notes")
    assert (answer.status_code, error_of(answer)["field"]) == (400, "scope")


@pytest.mark.parametrize(
    ("path", "body", "field", "known"),
    [
        ("/memory/search", {"query": "a", "sort": "age"}, "sort", "max_results"),
        (
            "/memory/records",
            {
                "scope": "personal",
                "content": "a",
                "sequence": {"id": "a", "position": 1, "of": 2},
            },
            "sequence.of",
            "position",
        ),
        (
            "/memory/extract",
            {"messages": [{"role": "user", "content": "a"}, {"text": "b"}]},
            "messages.1.text",
            "content",
        ),
    ],
)
def test_an_unknown_field_is_named_with_its_whole_path(
    alice_api: Api, path: str, body: Any, field: str, known: str
) -> None:
    refused = error_of(alice_api.post(path, body))
    assert (refused["code"], refused["field"]) == ("unknown_field", field)
    assert known in refused["remedy"]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/memory/search", {"query": "a", "scopes": ["mine"]}, "scopes.0"),
        ("/memory/search", {"query": "a", "kinds": ["x"]}, "kinds.0"),
        ("/memory/dedupe", {"scope": "mine"}, "scope"),
    ],
)
def test_what_is_no_choice_is_answered_with_the_choices(
    alice_api: Api, path: str, body: Any, field: str
) -> None:
    refused = error_of(alice_api.post(path, body))
    assert refused["field"] == field
    assert refused["remedy"].startswith("Use one of ")


def send(alice: Api, raw: bytes, media_type: str = "application/json") -> Any:
    """Send a body as it is."""
    return Client().generic(
        "POST",
        "/api/memory/records",
        raw,
        content_type=media_type,
        headers={"Authorization": f"Bearer {alice.secret}"},
    )


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"scope": "global", "scope": "personal", "content": "a"}', "'scope' twice"),
        (b'{"scope": "personal", "metadata": {"a": 1, "a": 2}}', "'a' twice"),
        (b'{"scope": "personal", "content": "\xff"}', "no UTF-8"),
        (b'{"importance": NaN}', "NaN"),
        (b'{"importance": ' + b"1" * 5000 + b"}", "digits"),
        (b"[" * 100_000, "nested"),
        (b'{"scope": ', "no JSON"),
        (b'{"content": "\\ud800"}', "surrogate"),
    ],
)
def test_json_that_means_nothing_or_two_things_is_refused(
    alice_api: Api, raw: bytes, says: str
) -> None:
    answer = send(alice_api, raw)
    assert answer.status_code == 400
    refused = error_of(answer)
    assert refused["code"] == "malformed_json"
    assert says in refused["message"]
    assert "sys." not in refused["message"]


def test_refusals_before_anything_is_read_say_what_would_do(alice_api: Api) -> None:
    nobody = error_of(Client().get("/api/me"))
    assert "Authorization: Bearer" in nobody["remedy"]
    form = error_of(send(alice_api, b"a=b", "application/x-www-form-urlencoded"))
    assert form["remedy"] == "Send Content-Type: application/json."
    method = error_of(alice_api("put", "/memory/records", {}))
    assert "GET, POST" in method["remedy"]


def test_one_item_that_is_nothing_does_not_refuse_the_others(alice_api: Api) -> None:
    good = {"scope": "personal", "content": "kept"}
    items = [None, good, [], "text", 5]
    answer = alice_api.post("/memory/records/bulk", {"records": items})
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result.get("status") for result in results] == [None, 201, None, None, None]


def test_nobody_is_pointed_to_where_the_next_refusal_waits(alice_api: Api) -> None:
    alice_api.headers["X-GoClaw-Conversation"] = "shared"
    note = {"scope": "agent_notes", "content": "a"}
    refused = error_of(alice_api.post("/memory/records", note))
    assert refused["remedy"].startswith("Say it in a direct conversation")
