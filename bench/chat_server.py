"""An OpenAI-compatible chat endpoint that keeps every note and merges every group.

It stands in for a background model where the work around the model is measured: what is
asked, how often, and what becomes of answers that pass all checks.
"""

import json
import re
import threading
from contextlib import AbstractContextManager
from typing import Any

from bench import json_server

_NOTE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


class ScriptedChat:
    """Counts its questions by the name of the schema they ask for."""

    def __init__(self) -> None:
        self.asked: dict[str, int] = {}
        self._counting = threading.Lock()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a chat completion."""
        schema = request["response_format"]["json_schema"]["name"]
        with self._counting:
            self.asked[schema] = self.asked.get(schema, 0) + 1
        prompt = request["messages"][-1]["content"]
        said = _merges(prompt) if schema == "ConsolidationReply" else {"notes": []}
        message = {"role": "assistant", "content": json.dumps(said)}
        return {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }


def _merges(prompt: str) -> dict[str, Any]:
    """Return the first text of each group as that of the whole group."""
    merges = []
    for group in prompt.split("Group ")[1:]:
        notes = _NOTE.findall(group)
        merges.append({"notes": [int(n) for n, _ in notes], "text": notes[0][1]})
    return {"merges": merges}


def serving(chat: ScriptedChat) -> AbstractContextManager[str]:
    """Yield the base URL at which the chat answers."""
    return json_server.serving(chat.answer)
