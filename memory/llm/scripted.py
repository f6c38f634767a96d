"""A model that says what it was told to say, for tests of what is made of it."""

from collections.abc import Iterable
from typing import Any

from memory.llm.base import Reply


class ScriptedModel:
    """Answers with the replies in order; one that is an error is raised."""

    name = "scripted"

    def __init__(self, replies: Iterable[dict[str, Any] | Exception]) -> None:
        self._replies = iter(replies)
        self.asked: list[tuple[str, str]] = []
        """(system, prompt) of every question."""

    def complete(self, *, system: str, prompt: str, schema: type[Reply]) -> Reply:
        """Return the next reply, checked by the schema as a real one would be."""
        self.asked.append((system, prompt))
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return schema.model_validate(reply)
