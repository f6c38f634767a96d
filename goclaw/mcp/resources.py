"""Wiki pages and workspace files as the protocol's resources."""

from urllib.parse import quote, unquote, urlsplit

import mcp_types as types
from mcp.shared.exceptions import MCPError

from accounts.actors import Actor
from goclaw.lib.drf import error_body
from goclaw.lib.errors import GoClawError, NotFound
from memory import reading
from memory.models import Memory
from memory.scopes import Scope
from memory.workspace import get_agent

SCHEME = "goclaw"
PAGE = 200
"""How many are listed at once."""
MARKDOWN = "text/markdown"


def listed(actor: Actor, cursor: str | None) -> types.ListResourcesResult:
    """Return readable pages and files, some at a time; the cursor is the last row."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit()):
        raise MCPError(types.INVALID_PARAMS, "This cursor is not one of ours.")
    found = list(
        Memory.objects.readable_by(actor)
        .live()
        .mirrors()
        .filter(scope__in=(Scope.WIKI, Scope.WORKSPACE), pk__gt=int(cursor or 0))
        .exclude(source_key__startswith="/")  # attachments
        .order_by("pk")
        .values_list("pk", "scope", "agent", "source_key", "title")[: PAGE + 1]
    )
    rows = found[:PAGE]
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=_uri(scope, agent, path), name=path, title=title, mime_type=MARKDOWN
            )
            for _, scope, agent, path, title in rows
        ],
        next_cursor=str(rows[-1][0]) if len(found) > PAGE else None,
    )


def templates() -> types.ListResourceTemplatesResult:
    """Return what addresses look like."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template=f"{SCHEME}://wiki/{{+slug}}",
                name="wiki page",
                description="A page of the wiki by its slug.",
                mime_type=MARKDOWN,
            ),
            types.ResourceTemplate(
                uri_template=f"{SCHEME}://workspace/{{agent}}/{{+path}}",
                name="workspace file",
                description="A file of an agent's workspace, such as"
                " memory/2026-03-27.md.",
                mime_type=MARKDOWN,
            ),
        ]
    )


def read(actor: Actor, uri: str) -> types.ReadResourceResult:
    """Return the text of a page or file; somebody else's is as missing as none."""
    try:
        text = _text(actor, uri)
    except GoClawError as error:
        raise MCPError(types.INVALID_PARAMS, error.message, error_body(error)) from None
    contents = types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
    return types.ReadResourceResult(contents=[contents])


def _uri(scope: str, agent: str, path: str) -> str:
    if scope == Scope.WORKSPACE:
        return f"{SCHEME}://workspace/{quote(agent)}/{quote(path)}"
    return f"{SCHEME}://wiki/{quote(path)}"


def _text(actor: Actor, uri: str) -> str:
    parts = urlsplit(uri)
    path = unquote(parts.path.removeprefix("/"))
    passage = None
    if parts.scheme == SCHEME and parts.netloc == "wiki":
        passage = reading.read_page(actor, path, start=1, count=None)
    elif parts.scheme == SCHEME and parts.netloc == "workspace":
        agent, _, path = path.partition("/")
        passage = reading.read_file(get_agent(agent), path, start=1, count=None)
    if passage is None or passage.missing:
        raise NotFound(
            "There is no such resource.",
            field="uri",
            remedy="List the resources, or find them with memory_search.",
        )
    return passage.text
