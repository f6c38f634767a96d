"""The protocol's server: the catalogue's tools and what can be read, for an actor.

Only this module and `resources` import the SDK. Its handlers find the actor in the
request's scope and do all work in threads.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from django.conf import settings
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from accounts.actors import Actor
from goclaw.lib.drf import error_body
from goclaw.lib.errors import GoClawError
from goclaw.mcp import resources
from goclaw.mcp.door import ACTOR
from memory.tools import Tool, call, catalogue

Context = ServerRequestContext[Any, Any]
InThread = Callable[..., Awaitable[Any]]
logger = logging.getLogger(__name__)

INSTRUCTIONS = (
    "The memory and wiki of the organisation and of the person you talk to. Search with"
    " memory_search before you answer, cite what you use, and write down with"
    " memory_write what will be needed again."
)


def make_manager(in_thread: InThread) -> StreamableHTTPSessionManager:
    """Return what serves requests: without sessions, each answered by one JSON body."""
    return StreamableHTTPSessionManager(
        _make_server(in_thread),
        json_response=True,
        stateless=True,
        # Host, Origin and key are checked before a request comes here.
        security_settings=None,
    )


def _make_server(in_thread: InThread) -> Server[Any]:
    async def list_tools(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=await in_thread(_tools, _actor(context)))

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        arguments = params.arguments or {}
        found: types.CallToolResult = await in_thread(
            _called, _actor(context), params.name, arguments
        )
        return found

    async def list_resources(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = params.cursor if params else None
        found: types.ListResourcesResult = await in_thread(
            resources.listed, _actor(context), cursor
        )
        return found

    async def list_templates(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return resources.templates()

    async def read_resource(
        context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found: types.ReadResourceResult = await in_thread(
            resources.read, _actor(context), params.uri
        )
        return found

    return Server(
        "goclaw-memory",
        title="GoClaw Memory",
        version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        get_tool_input_schema=_no_headers_to_check,
    )


def _actor(context: Context) -> Actor:
    if context.request is None:
        raise RuntimeError("a message came without its request")
    actor: Actor = context.request.scope[ACTOR]
    return actor


def _no_headers_to_check(name: str) -> None:
    """Say that no argument of ours may come as a header of its own."""


def _tools(actor: Actor) -> list[types.Tool]:
    return [_tool(tool, actor) for tool in catalogue(actor)]


def _tool(tool: Tool[Any], actor: Actor) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.described(),
        input_schema=tool.schema(actor),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads_only,
            destructive_hint=False,  # what is replaced or forgotten can be restored
            open_world_hint=False,
        ),
    )


def _called(actor: Actor, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """Run a tool; a refusal is its answer, so that the model can do better."""
    try:
        result = call(name, arguments, actor=actor)
    except GoClawError as error:
        return _refused(error)
    except Exception:
        logger.exception("The tool %s has failed", name)
        fault = GoClawError("The tool has failed here.", code="internal_error")
        return _refused(fault)
    data = result.data
    if result.failed:
        data = error_body(result.failed) | data
    return _answered(result.text, data, failed=result.failed is not None)


def _refused(error: GoClawError) -> types.CallToolResult:
    text = f"{error.message} {error.remedy or ''}".strip()
    return _answered(text, error_body(error), failed=True)


def _answered(text: str, data: dict[str, Any], *, failed: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=data,
        is_error=failed,
    )
