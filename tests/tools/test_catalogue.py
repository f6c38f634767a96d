"""What is listed for whom, in which shape; descriptions hold what they promise."""

import json

import pytest

from memory.tools import call, catalogue
from memory.tools.base import Tool
from tests.people import Api
from tests.tools.calling import names, refused, schema_of

pytestmark = pytest.mark.django_db

EVERYBODY = {
    "memory_search",
    "memory_get",
    "memory_feedback",
    "wiki_search",
    "wiki_read",
}
OURS = EVERYBODY | {"memory_write", "memory_forget", "wiki_write"}


def test_both_shapes_say_the_same(admin_api: Api) -> None:
    openai = admin_api.get("/tools", format="openai").json()["tools"]
    anthropic = admin_api.get("/tools", format="anthropic").json()["tools"]
    assert {tool["type"] for tool in openai} == {"function"}
    assert [
        {
            "name": tool["function"]["name"],
            "description": tool["function"]["description"],
            "input_schema": tool["function"]["parameters"],
        }
        for tool in openai
    ] == anthropic
    assert {tool["name"] for tool in anthropic} >= OURS
    assert admin_api.get("/tools").json()["tools"] == openai


def test_another_shape_is_refused_with_those_that_are_known(admin_api: Api) -> None:
    answer = admin_api.get("/tools", format="gemini")
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "format"


def test_schemas_are_plain_enough_for_any_model(admin_api: Api) -> None:
    """No references, no "or null", no titles; every argument says what it is."""
    for tool in admin_api.get("/tools", format="anthropic").json()["tools"]:
        schema = tool["input_schema"]
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        assert not {"$ref", "$defs", '"title":', "null"} & set(json.dumps(schema)), tool
        for name, argument in schema["properties"].items():
            assert argument["description"], (tool["name"], name)
            assert "title" not in argument
            assert "anyOf" not in argument
            assert name == "value" or "type" in argument, (tool["name"], name)


def tools() -> list[Tool]:
    from accounts.actors import system_actor

    return catalogue(system_actor())


def test_descriptions_are_short_and_say_when_to_use_it(db: None) -> None:
    for tool in tools():
        described = tool.described()
        assert len(described) < 700, tool.name
        assert "Use it" in described, tool.name
        assert tool.checked(json.loads(tool.example)), tool.name


def test_a_schema_lists_the_scopes_that_the_actor_may_write_to(
    alice_api: Api, admin_api: Api, cron_api: Api
) -> None:
    def scopes(api: Api) -> tuple[list[str], str]:
        scope = schema_of(api, "memory_write")["properties"]["scope"]
        return scope["enum"], scope["default"]

    assert scopes(alice_api) == (["personal"], "personal")
    assert scopes(cron_api) == (["agent_notes"], "agent_notes")
    everything = ["personal", "agent_notes", "agent_config"]
    assert scopes(admin_api) == (everything, "personal")


def test_what_one_may_not_use_is_not_listed_and_refused_with_its_remedy(
    alice_api: Api,
) -> None:
    assert "wiki_write" not in names(alice_api)
    status, error = refused(alice_api, "wiki_write", slug="a", body="b")
    assert (status, error["code"]) == (403, "forbidden")
    assert "wiki editors" in error["remedy"]


def test_an_unknown_tool_is_refused_with_those_that_are_known(alice_api: Api) -> None:
    status, error = refused(alice_api, "memory_recall")
    assert (status, error["code"]) == (404, "unknown_tool")
    assert "memory_search" in error["remedy"]
    assert "wiki_write" not in error["remedy"]


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({}, "invalid", "query"),
        ({"query": ""}, "invalid", "query"),
        ({"query": 7}, "invalid", "query"),
        ({"query": "a", "max_results": 0}, "invalid", "max_results"),
        ({"query": "a", "max_results": "many"}, "invalid", "max_results"),
        ({"query": "a", "scopes": ["mine"]}, "invalid", "scopes.0"),
        ({"query": "a", "tags": ["Not A Tag"]}, "invalid", "tags.0"),
        ({"query": "a", "since": "yesterday"}, "invalid", "since"),
        ({"query": "a", "corpus": "all"}, "unknown_field", "corpus"),
        (
            {"query": "a", "since": "2026-03-02", "until": "2026-03-01"},
            "invalid",
            "until",
        ),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    alice_api: Api, arguments: dict, code: str, field: str
) -> None:
    status, error = refused(alice_api, "memory_search", **arguments)
    assert (status, error["code"], error["field"]) == (400, code, field)


@pytest.mark.parametrize("body", [[], "text", 3, None])
def test_arguments_are_an_object(alice_api: Api, body: object) -> None:
    answer = alice_api.post("/tools/memory_get", body)
    assert answer.status_code == 400


def test_null_is_the_same_as_left_out(alice_api: Api) -> None:
    alice_api.write("The quokka is called Bert.")
    answer = alice_api.post(
        "/tools/memory_search", {"query": "quokka", "tags": None, "max_results": None}
    )
    assert len(answer.json()["data"]["results"]) == 1


def test_without_a_key_there_are_no_tools(client: object, db: None) -> None:
    assert Api("gck_wrong").get("/tools").status_code == 401
    assert Api("gck_wrong").post("/tools/memory_search", {}).status_code == 401


def test_a_write_is_done_once_with_an_idempotency_key(alice_api: Api) -> None:
    body = {"content": "Bert likes figs.", "daily": None}
    first, second = (
        alice_api.post("/tools/memory_write", body, Idempotency_Key="k1")
        for _ in range(2)
    )
    assert first.json() == second.json()
    assert second.headers["Idempotent-Replay"] == "true"


def test_call_is_the_one_door(db: None) -> None:
    """What REST and MCP use refuses by itself; no door has to remember to."""
    from accounts.actors import anonymous_actor
    from goclaw.lib.errors import Forbidden

    with pytest.raises(Forbidden):
        call("memory_write", {"content": "x"}, actor=anonymous_actor())
