"""A model that says what it was told to say, for tests of what is made of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from memory.llm.base import Reply


class ScriptedModel:
    """Answers with the replies in order; one that is an error is raised.

    What is asked for by a schema named in `always` is answered by that instead.
    """

    name = "scripted"

    def __init__(
        self,
        replies: Iterable[dict[str, Any] | Exception],
        *,
        always: Mapping[str, dict[str, Any]] | None = None,
    ) -> None:
        self._replies = iter(replies)
        self._always = always or {}
        self.asked: list[tuple[str, str]] = []
        """(system, prompt) of every question that took one of the replies."""

    def complete(self, *, system: str, prompt: str, schema: type[Reply]) -> Reply:
        """Return the next reply, checked by the schema as a real one would be."""
        if schema.__name__ in self._always:
            return schema.model_validate(self._always[schema.__name__])
        self.asked.append((system, prompt))
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return schema.model_validate(reply)
