"""A chat endpoint in OpenAI's shape, whose answers are a script for each schema.

It sees what a model sees and nothing else: numbered messages, notes and facts.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from werkzeug import Request, Response

_TURNS = re.compile(r"^\[(\d+)\] [^\n]*:\n(?:\(asked: [^\n]*\)\n)?(.+?)$", re.M)
_OLDER = re.compile(r"^Older note \[(\d+)\]: \([\d-]+\) (.+)$", re.M)
_NOTES = re.compile(r"^\[(\d+)\] (.+)$", re.M)
_FACTS = re.compile(r"^(F\d+) \| (.+)$", re.M)


@dataclass
class Script:
    """What the model would say; texts are compared by words that they contain."""

    domain: str
    replaced: list[tuple[str, str]] = field(default_factory=list)
    """(words of the newer note, words of the older one) of what is replaced."""
    merged: dict[str, list[str]] = field(default_factory=dict)
    """The text in place of the notes that have these words."""
    page: list[tuple[str, str, str]] = field(default_factory=list)
    """(heading, sentence, words of the fact behind it)."""
    asked: list[str] = field(default_factory=list)
    """The names of all schemas that were asked for."""

    def __call__(self, request: Request) -> Response:
        """Answer a request as a chat endpoint does."""
        sent = json.loads(request.data)
        name = sent["response_format"]["json_schema"]["name"]
        self.asked.append(name)
        said = getattr(self, f"_{name}")(sent["messages"][-1]["content"])
        message = {"role": "assistant", "content": json.dumps(said)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "1", "object": "chat.completion", "choices": [choice]}
        return Response(json.dumps(body), content_type="application/json")

    def _ExtractionReply(self, prompt: str) -> dict[str, Any]:
        facts = [
            {"text": text, "kind": "fact", "domain": self.domain, "message": int(n)}
            for n, text in _TURNS.findall(prompt)
        ]
        return {"facts": facts}

    def _JudgeReply(self, prompt: str) -> dict[str, Any]:
        notes = []
        for case in prompt.split("Newer note: ")[1:]:
            newer = case.partition("\n")[0]
            for number, older in _OLDER.findall(case):
                is_old = any(a in newer and b in older for a, b in self.replaced)
                verdict = "replaced" if is_old else "kept"
                reason = "Another one leads it now." if is_old else ""
                notes.append(
                    {"note": int(number), "verdict": verdict, "reason": reason}
                )
        return {"notes": notes}

    def _ConsolidationReply(self, prompt: str) -> dict[str, Any]:
        merges = []
        for text, words in self.merged.items():
            named = [
                int(number)
                for number, note in _NOTES.findall(prompt)
                if any(word in note for word in words)
            ]
            if len(named) > 1:
                merges.append({"notes": named, "text": text})
        return {"merges": merges}

    def _DistillReply(self, prompt: str) -> dict[str, Any]:
        facts = _FACTS.findall(prompt)
        sections = [
            {
                "heading": heading,
                "sentences": [
                    {
                        "text": sentence,
                        "facts": [name for name, text in facts if words in text],
                    }
                ],
            }
            for heading, sentence, words in self.page
            if any(words in text for _, text in facts)
        ]
        return {"sections": sections}
