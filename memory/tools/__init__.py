"""Tools for agents: described for a model, run for an actor, the same at every door."""

from memory.tools import (  # noqa: F401  (register)
    consolidate,
    feedback,
    forget,
    get,
    search,
    write,
)
from memory.tools.base import Arguments, Tool, ToolResult, anybody
from memory.tools.registry import call, catalogue, register
from memory.tools.shapes import SHAPES

__all__ = [
    "SHAPES",
    "Arguments",
    "Tool",
    "ToolResult",
    "anybody",
    "call",
    "catalogue",
    "register",
]
