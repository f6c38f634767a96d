"""A question answered with the help of the memory's tools, by the OpenAI SDK alone.

It works with every endpoint of that shape. Set `GOCLAW_URL` and `GOCLAW_API_KEY` for
the memory, `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` for the model, then:

    python integrations/openai_tools.py "When do we deploy?"
"""

import json
import os
import sys
from collections.abc import Collection, Sequence
from typing import Any

import httpx2
from openai import OpenAI

MAX_ROUNDS = 8
"""How often a model may ask for tools before it has to answer."""

Message = dict[str, Any]


def ask(
    memory: httpx2.Client,
    client: OpenAI,
    *,
    model: str,
    messages: Sequence[Message],
    only: Collection[str] = (),
    first: str = "auto",
    **options: Any,
) -> list[Message]:
    """Return the conversation with what follows; the answer is its last message.

    `only` leaves out other tools: the fewer there are, the better for a small model.
    `first` is the `tool_choice` of the first round; `required` makes the model look
    something up before it says anything. `options` go to the endpoint as they are, such
    as `max_tokens`.
    """
    tools = memory.get("/api/tools").raise_for_status().json()["tools"]
    tools = [tool for tool in tools if not only or tool["function"]["name"] in only]
    messages = list(messages)
    for number in range(MAX_ROUNDS):
        completion = client.chat.completions.create(
            model=model,
            messages=messages,  # type: ignore[arg-type]  # plain dictionaries
            tools=tools,
            tool_choice=first if number == 0 else "auto",  # type: ignore[arg-type]
            **options,
        )
        message = completion.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return messages
        for call in message.tool_calls:
            told = run(memory, call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": told})
    raise RuntimeError(f"no answer within {MAX_ROUNDS} rounds")


def run(memory: httpx2.Client, name: str, arguments: str) -> str:
    """Run a tool; return what the model is to read, also when it was refused."""
    try:
        given = json.loads(arguments or "{}")
    except ValueError:
        return "The arguments are no JSON. Call the tool again with a JSON object."
    answer = memory.post(f"/api/tools/{name}", json=given).json()
    if "text" in answer:
        return str(answer["text"])
    error = answer["error"]
    return f"{error['message']} {error.get('remedy', '')}".strip()


def main() -> None:
    """Answer the question of the command line."""
    key = os.environ["GOCLAW_API_KEY"]
    with httpx2.Client(
        base_url=os.environ["GOCLAW_URL"],
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
    ) as memory:
        messages = ask(
            memory,
            OpenAI(),
            model=os.environ.get("OPENAI_MODEL", "gpt-5-mini"),
            messages=[{"role": "user", "content": " ".join(sys.argv[1:])}],
        )
    sys.stdout.write(f"{messages[-1].get('content', '')}\n")


if __name__ == "__main__":
    main()
