"""Tools in the forms that model APIs take. Pure."""

from typing import Any

from accounts.actors import Actor
from memory.tools.base import Tool

Shape = dict[str, Any]


def openai(tool: Tool[Any], actor: Actor) -> Shape:
    """Return a tool as chat completions take it."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.described(),
            "parameters": tool.schema(actor),
        },
    }


def anthropic(tool: Tool[Any], actor: Actor) -> Shape:
    """Return a tool as the messages API takes it."""
    return {
        "name": tool.name,
        "description": tool.described(),
        "input_schema": tool.schema(actor),
    }


SHAPES = {"openai": openai, "anthropic": anthropic}
