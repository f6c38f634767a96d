"""The official client against a real server: tools, resources, refusals, many calls."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from accounts.models import ApiKey
from memory.models import Memory
from tests.mcp.asking import LIST, tools
from tests.mcp.conftest import MODES, Server
from tests.people import Api

pytestmark = [pytest.mark.cluster, pytest.mark.django_db(transaction=True)]


# --- what it offers ------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_a_client_of_either_age_lists_and_calls(
    server: Server, alice_api: Api, mode: str
) -> None:
    async def work(client: Client) -> tuple[set[str], Any, Any]:
        listed = await tools(client)
        made = await client.call_tool(
            "memory_write", {"content": "The quokka is called Bert.", "kind": "fact"}
        )
        found = await client.call_tool("memory_search", {"query": "quokka"})
        return listed, made, found

    listed, made, found = server.use(alice_api, work, mode=mode)
    assert {"memory_search", "memory_write", "wiki_read"} <= listed
    assert not made.is_error
    (hit,) = found.structured_content["results"]
    assert hit["id"] == made.structured_content["id"]
    assert hit["id"] in found.content[0].text
    memory = Memory.objects.get(uid=hit["id"])
    assert (memory.tool, memory.created_by_key_id) == (
        "memory_write",
        ApiKey.objects.get(owner__username="alice").pk,
    )


def test_the_tools_are_those_of_the_api(
    server: Server, alice_api: Api, admin_api: Api, cron_api: Api
) -> None:
    for api in (alice_api, admin_api, cron_api):

        async def work(client: Client) -> list[tuple[str, str | None, Any]]:
            listed = (await client.list_tools()).tools
            return [(t.name, t.description, t.input_schema) for t in listed]

        rest = api.get("/tools", format="anthropic").json()["tools"]
        assert server.use(api, work) == [
            (tool["name"], tool["description"], tool["input_schema"]) for tool in rest
        ]


def test_readers_are_told_from_writers(server: Server, admin_api: Api) -> None:
    async def work(client: Client) -> dict[str, bool | None]:
        listed = (await client.list_tools()).tools
        return {t.name: t.annotations and t.annotations.read_only_hint for t in listed}

    hints = server.use(admin_api, work)
    assert hints["memory_search"] is hints["wiki_read"] is True
    assert hints["memory_write"] is hints["memory_forget"] is False


# --- resources -----------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_pages_and_files_are_resources(
    server: Server, admin_api: Api, alice_api: Api, mode: str
) -> None:
    page = {"body": "# Größe\n\nVier Meter."}
    assert admin_api.post("/memory/wiki?slug=pegel/größe", page).status_code == 201
    day = f"memory/{datetime.now(UTC):%Y-%m-%d}.md"

    async def note(client: Client) -> Any:
        # By the server itself: its workspace is not the test's.
        return await client.call_tool(
            "memory_write", {"content": f"Steg at 4.2 m, {mode}", "daily": True}
        )

    assert not server.use(admin_api, note, mode=mode).is_error

    async def work(client: Client) -> dict[str, str]:
        texts = {}
        for resource in (await client.list_resources()).resources:
            read = await client.read_resource(resource.uri)
            texts[resource.uri] = read.contents[0].text
        templates = (await client.list_resource_templates()).resource_templates
        assert len(templates) == 2
        return texts

    texts = server.use(alice_api, work, mode=mode)
    assert texts[f"goclaw://wiki/{quote('pegel/größe')}"] == page["body"]
    assert f"Steg at 4.2 m, {mode}" in texts[f"goclaw://workspace/default/{day}"]


def test_resources_come_in_pages(server: Server, admin_api: Api) -> None:
    for n in range(5):
        admin_api.post(f"/memory/wiki?slug=page-{n}", {"body": f"# Page {n}"})

    async def work(client: Client) -> list[str]:
        found, cursor = [], None
        while True:
            listed = await client.list_resources(cursor=cursor)
            found += [resource.name for resource in listed.resources]
            cursor = listed.next_cursor
            if cursor is None:
                return found

    assert server.use(admin_api, work) == [f"page-{n}" for n in range(5)]


@pytest.mark.parametrize(
    "uri",
    [
        "goclaw://wiki/hidden/page",
        "goclaw://wiki/nothing",
        "goclaw://workspace/default/memory/2001-01-01.md",
        "goclaw://workspace/default/../gc_state.sqlite",
        "goclaw://workspace/nobody/memory/a.md",
        "goclaw://elsewhere/a",
        "file:///etc/passwd",
    ],
)
def test_what_one_may_not_read_is_no_resource(
    server: Server, admin_api: Api, alice_api: Api, uri: str
) -> None:
    admin_api.post("/memory/wiki?slug=hidden/page", {"body": "# Secret"})
    admin_api(
        "put", "/memory/wiki/restriction?slug=hidden", {"readers": [], "writers": []}
    )

    async def work(client: Client) -> Any:
        listed = (await client.list_resources()).resources
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        return [resource.uri for resource in listed], caught.value

    listed, error = server.use(alice_api, work)
    assert uri not in listed
    assert "Secret" not in str(error)
    assert error.data["error"]["code"] in {"not_found", "path_refused"}


# --- load ----------------------------------------------------------------------------
def test_twenty_at_once_are_all_answered(server: Server, alice_api: Api) -> None:
    async def work(client: Client) -> list[Any]:
        return await asyncio.gather(
            *(
                client.call_tool("memory_write", {"content": f"Number {n} of twenty."})
                for n in range(20)
            )
        )

    answers = server.use(alice_api, work)
    assert not any(answer.is_error for answer in answers)
    assert len({answer.structured_content["id"] for answer in answers}) == 20
    assert Memory.objects.count() == 20


@pytest.mark.parametrize("mode", MODES)
def test_a_big_page_comes_whole(server: Server, admin_api: Api, mode: str) -> None:
    body = "# Big\n\n" + "\n".join(f"Line {n} — größer" for n in range(30_000))

    async def work(client: Client) -> Any:
        made = await client.call_tool("wiki_write", {"slug": "big", "body": body})
        return made, await client.call_tool("wiki_read", {"slug": "big"})

    made, read = server.use(admin_api, work, mode=mode)
    assert not made.is_error, made.content
    assert read.structured_content["body"] == body


def test_a_message_beyond_all_measure_is_refused(
    server: Server, alice_api: Api
) -> None:
    huge = LIST | {"params": {"_meta": {"x": "y" * 5_000_000}}}
    request = httpx2.post(
        f"{server.url}/mcp",
        json=huge,
        headers={"Authorization": f"Bearer {alice_api.secret}"},
    )
    assert request.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        "text",
        [],
        {"jsonrpc": "2.0", "id": 1, "method": "nothing/here"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "resources/list",
            "params": {"cursor": "x"},
        },
    ],
)
def test_nonsense_is_an_error_and_no_fault(
    server: Server, alice_api: Api, body: object
) -> None:
    status, _, answer = server.send(body, secret=alice_api.secret)
    assert status < 500
    assert answer["error"]["message"]


def test_the_api_is_quick_while_the_protocol_is_busy(
    server: Server, alice_api: Api
) -> None:
    """Nothing of a call runs in the event loop, which all requests share."""
    alice_api.write("The quokka is called Bert.")

    async def work(client: Client) -> float:
        slowest = 0.0
        searches = [
            asyncio.create_task(client.call_tool("memory_search", {"query": "quokka"}))
            for _ in range(40)
        ]
        async with httpx2.AsyncClient() as http:
            while not all(search.done() for search in searches):
                began = time.perf_counter()
                answer = await http.get(f"{server.url}/healthz", timeout=20)
                assert answer.status_code == 200
                slowest = max(slowest, time.perf_counter() - began)
        answers = await asyncio.gather(*searches)
        assert not any(answer.is_error for answer in answers)
        return slowest

    assert server.use(alice_api, work) < 3
