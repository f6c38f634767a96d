"""A real small model uses the tools, by the OpenAI SDK as the example shows it.

The model has 135 million parameters. It cannot choose to look something up, so its turn
begins with the opening of a call; which tool and which arguments it writes itself.
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import InternalServerError, OpenAI

from integrations.openai_tools import ask, run
from tests.people import Api
from tests.sessions.model_server import serving

pytestmark = [pytest.mark.model, pytest.mark.django_db(transaction=True)]

TEMPLATE = Path(__file__).parent / "chat_with_tools.jinja"


@pytest.fixture(scope="module")
def client() -> Iterator[OpenAI]:
    """Start the model's server; return a client of it."""
    with serving(str(TEMPLATE)) as base_url:
        yield OpenAI(base_url=base_url, api_key="none", timeout=240, max_retries=0)


@pytest.fixture
def memory(live_server: Any, alice_api: Api) -> Iterator[httpx2.Client]:
    """Return a client of our API with Alice's key."""
    headers = {"Authorization": f"Bearer {alice_api.secret}"} | alice_api.headers
    with httpx2.Client(base_url=live_server.url, headers=headers) as memory:
        yield memory


def test_a_model_looks_something_up_and_is_told(
    client: OpenAI, memory: httpx2.Client, alice_api: Api
) -> None:
    known = alice_api.write("Deploys go out on Tuesdays.", kind="decision")
    messages = _asked(
        memory,
        client,
        [
            {"role": "user", "content": "On which day do deploys go out?"},
            {"role": "assistant", "content": "<tool_call>\n"},
        ],
    )
    call = messages[2]["tool_calls"][0]
    assert call["function"]["name"] == "memory_search"
    assert json.loads(call["function"]["arguments"])["query"]
    told = messages[3]
    assert (told["role"], told["tool_call_id"]) == ("tool", call["id"])
    assert known["id"] in told["content"] or "Nothing was found" in told["content"]
    assert messages[-1]["role"] == "assistant"


def _asked(
    memory: httpx2.Client, client: OpenAI, messages: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Ask until the model writes a call that its own server can read."""
    for seed in range(1, 9):
        with contextlib.suppress(InternalServerError):
            return ask(
                memory,
                client,
                model="smollm2",
                messages=messages,
                only={"memory_search"},
                first="required",
                max_tokens=120,
                seed=seed,
            )
    pytest.fail("eight calls in a row were no JSON")


def test_what_a_model_gets_wrong_it_is_told(memory: httpx2.Client) -> None:
    assert "JSON object" in run(memory, "memory_search", '{"query": ')
    assert "memory_search needs the argument 'query'" in run(
        memory, "memory_search", "{}"
    )
    assert "memory_search" in run(memory, "recall", "{}")
    assert "personal" in run(
        memory, "memory_write", '{"content": "x", "scope": "global"}'
    )


def test_a_model_takes_all_schemas(client: OpenAI, memory: httpx2.Client) -> None:
    """A server makes a grammar of what we describe, whatever the tool."""
    for tool in memory.get("/api/tools").json()["tools"]:
        completion = client.chat.completions.create(
            model="smollm2",
            messages=[
                {
                    "role": "user",
                    "content": f"Use the tool {tool['function']['name']}.",
                },
                {"role": "assistant", "content": "<tool_call>\n"},
            ],
            tools=[tool],
            tool_choice="required",
            max_tokens=40,
            temperature=0,
        )
        for call in completion.choices[0].message.tool_calls or ():
            assert call.function.name == tool["function"]["name"]
