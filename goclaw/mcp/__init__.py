"""`/mcp`: the Model Context Protocol, beside Django in the web process."""

from goclaw.mcp.door import McpDoor

__all__ = ["McpDoor"]
