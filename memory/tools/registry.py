"""Which tools there are, which of them an actor is shown, and how one is called."""

from functools import cache
from typing import Any

from django.utils.module_loading import autodiscover_modules

from accounts.actors import Actor
from goclaw.lib.errors import NotFound
from memory.tools.base import Tool, ToolResult

_tools: dict[str, Tool[Any]] = {}


def register(tool: Tool[Any]) -> None:
    """Add a tool; each app's `tools` module does it when it is imported."""
    if tool.name in _tools:
        raise ValueError(f"there are two tools {tool.name}")
    _tools[tool.name] = tool


@cache
def _all() -> dict[str, Tool[Any]]:
    """Return every tool by name, after every app's `tools` module was imported."""
    autodiscover_modules("tools")
    return dict(sorted(_tools.items()))


def catalogue(actor: Actor) -> list[Tool[Any]]:
    """Return the tools that the actor may use, by name."""
    return [tool for tool in _all().values() if tool.allowed(actor)]


def call(name: str, arguments: object, *, actor: Actor) -> ToolResult:
    """Run a tool. Raises NotFound for an unknown one, Forbidden, or what it raises."""
    tool = _all().get(name)
    if tool is None:
        names = ", ".join(tool.name for tool in catalogue(actor))
        raise NotFound(
            f"There is no tool {name!r}.",
            code="unknown_tool",
            field="name",
            remedy=f"Use one of {names}.",
        )
    tool.allowed(actor).require()
    return tool.run(actor, tool.checked(arguments))
