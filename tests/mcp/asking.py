"""What tests send by the official client, or by hand."""

from typing import Any

from mcp import Client

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def tools(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


def calls(name: str, **arguments: Any) -> Any:
    async def call(client: Client) -> Any:
        return await client.call_tool(name, arguments)

    return call
