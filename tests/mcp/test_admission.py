"""Who is asking: keys, people, runs, and what never gets as far as a tool."""

from typing import Any
from uuid import uuid4

import pytest
from mcp import Client

from accounts.models import User
from memory.models import Memory
from tests.mcp.asking import LIST, calls, tools
from tests.mcp.conftest import MODES, Server
from tests.people import Api, api_for, make_user

pytestmark = [pytest.mark.cluster, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("mode", MODES)
def test_a_refusal_is_an_answer_the_model_can_read(
    server: Server, alice_api: Api, mode: str
) -> None:
    answer = server.use(
        alice_api,
        calls("memory_write", content="x", scope="agent_notes"),
        mode=mode,
    )
    assert answer.is_error
    error = answer.structured_content["error"]
    assert error["code"] == "forbidden"
    assert error["request_id"]
    assert "personal" in error["remedy"]
    assert error["remedy"] in answer.content[0].text


def test_a_tool_that_is_not_for_the_actor_says_why(
    server: Server, alice_api: Api
) -> None:
    async def work(client: Client) -> tuple[set[str], Any]:
        return await tools(client), await client.call_tool(
            "wiki_write", {"slug": "a", "body": "b"}
        )

    listed, answer = server.use(alice_api, work)
    assert "wiki_write" not in listed
    assert answer.is_error
    assert "wiki editors" in answer.content[0].text


def test_headers_name_the_person_the_run_and_the_conversation(
    server: Server, alice: User
) -> None:
    gateway = api_for(make_user("gateway"), may_act_for_others=True)
    written = calls("memory_write", content="Alice likes figs.")
    shared = server.use(gateway, written, X_GoClaw_User="alice")
    assert shared.is_error  # somebody else's conversation is shared until it says so
    direct = server.use(
        gateway, written, X_GoClaw_User="alice", X_GoClaw_Conversation="direct"
    )
    assert not direct.is_error
    assert Memory.objects.get(uid=direct.structured_content["id"]).owner == alice


@pytest.mark.parametrize("mode", MODES)
def test_a_strangers_record_is_a_missing_one(
    server: Server, alice_api: Api, bob_api: Api, mode: str
) -> None:
    foreign = alice_api.write("Alice's quokka")["id"]

    async def work(client: Client) -> Any:
        answers = []
        for uid in (foreign, str(uuid4())):
            answer = await client.call_tool("memory_get", {"id": uid})
            error = dict(answer.structured_content["error"])
            del error["request_id"]
            answers.append((answer.content[0].text, error))
        found = await client.call_tool("memory_search", {"query": "quokka"})
        return answers, found.structured_content["results"]

    (first, second), found = server.use(bob_api, work, mode=mode)
    assert first == second
    assert first[1]["code"] == "not_found"
    assert found == []


@pytest.mark.parametrize("secret", ["", "gck_wrong"])
def test_without_a_valid_key_nobody_comes_in(server: Server, secret: str) -> None:
    status, headers, body = server.send(LIST, secret=secret)
    assert (status, body["error"]["code"]) == (401, "unauthenticated")
    assert headers["www-authenticate"] == "Bearer"
    assert body["error"]["request_id"] == headers["x-request-id"]


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Host": "evil.example"}, 421, "host_not_allowed"),
        ({"Origin": "https://evil.example"}, 403, "origin_not_allowed"),
        ({"Origin": "null"}, 403, "origin_not_allowed"),
        ({"X_GoClaw_User": "bob"}, 403, "forbidden"),
        ({"X_GoClaw_Run": "human"}, 400, "invalid"),
        ({"X_GoClaw_User": ""}, 400, "invalid"),
    ],
)
def test_what_is_refused_before_the_protocol(
    server: Server,
    alice_api: Api,
    bob_api: Api,
    headers: dict[str, str],
    status: int,
    code: str,
) -> None:
    got, _, body = server.send(LIST, secret=alice_api.secret, **headers)
    assert (got, body["error"]["code"]) == (status, code)
    assert body["error"]["message"]


def test_a_page_of_our_own_may_ask(server: Server, alice_api: Api) -> None:
    status, _, body = server.send(LIST, secret=alice_api.secret, Origin=server.url)
    assert status == 200
    assert body["result"]["tools"]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_are_no_sessions_to_open_or_end(
    server: Server, alice_api: Api, method: str
) -> None:
    status, headers, body = server.send(None, method=method, secret=alice_api.secret)
    assert (status, body["error"]["code"]) == (405, "method_not_allowed")
    assert headers["allow"] == "POST"


def test_a_revoked_key_is_out_at_once(server: Server, alice_api: Api) -> None:
    assert server.send(LIST, secret=alice_api.secret)[0] == 200
    (key,) = alice_api.get("/keys").json()["results"]
    assert alice_api("delete", f"/keys/{key['id']}").status_code in {200, 204}
    assert server.send(LIST, secret=alice_api.secret)[0] == 401
