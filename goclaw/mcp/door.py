"""What a request to `/mcp` goes through before the SDK sees it.

The same keys, headers, limits and errors as the API's. The SDK takes a second to import
and is not needed to begin with: the first request that is let in loads it.
"""

import asyncio
import contextvars
import importlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import close_old_connections

from accounts.actors import Actor
from goclaw.lib.errors import Fault, GoClawError
from goclaw.lib.logs import request_id
from goclaw.lib.metrics import count_request
from goclaw.lib.middleware import request_id_for
from goclaw.mcp.admission import Headers, admit, check_origin
from goclaw.mcp.answers import Message, Receive, Send, refuse

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATHS = frozenset({"/mcp", "/mcp/"})
ACTOR = "goclaw.actor"
"""Where the scope of a request has its actor."""

Result = TypeVar("Result")
logger = logging.getLogger(__name__)


class McpDoor:
    """An ASGI application for requests to `/mcp`.

    What reads the database runs in the threads of `executor`, which keep their
    connections: they are those that Django's views run in.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._starting = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = Headers(scope["headers"])
        token = request_id.set(request_id_for(headers.get("X-Request-ID", "")))
        marked = _Marked(send)
        try:
            await self._answer(scope, headers, receive, marked)
        except GoClawError as error:
            await refuse(marked, error)
        except Exception:
            logger.exception("A request to /mcp has failed")
            if marked.status is None:
                await refuse(marked, Fault())
        finally:
            request_id.reset(token)
        count_request(scope["method"], marked.status or 500)

    async def in_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run what reads the database, in a thread that keeps its connection."""
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        run = partial(context.run, _as_request, work, *arguments)
        return await loop.run_in_executor(self._executor, run)

    async def stop(self) -> None:
        """End what still runs, when the server stops."""
        self._stop.set()
        if self._running is not None:
            await self._running

    async def _answer(
        self, scope: Message, headers: Headers, receive: Receive, send: Send
    ) -> None:
        check_origin(headers)
        if scope["method"] != "POST":
            # Nothing is sent unasked and there are no sessions to end.
            raise _MethodNotAllowed("Send messages by POST.")
        actor: Actor = await self.in_thread(admit, headers)
        manager = await self._started()
        await manager.handle_request({**scope, ACTOR: actor}, receive, send)

    async def _started(self) -> "StreamableHTTPSessionManager":
        """Return what serves the protocol, loaded and begun by the first that asks."""
        async with self._starting:
            if self._manager is None:
                server = await self.in_thread(
                    importlib.import_module, "goclaw.mcp.server"
                )
                manager = server.make_manager(self.in_thread)
                begun: asyncio.Future[None] = asyncio.Future()
                self._running = asyncio.create_task(self._run(manager, begun))
                await begun
                self._manager = manager
        return self._manager

    async def _run(
        self, manager: "StreamableHTTPSessionManager", begun: "asyncio.Future[None]"
    ) -> None:
        async with manager.run():
            begun.set_result(None)
            await self._stop.wait()


class _MethodNotAllowed(GoClawError):
    default_code = "method_not_allowed"
    status = 405


class _Marked:
    """Sends messages on, with the request's id and time in the headers."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._began = time.perf_counter()
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            took_ms = (time.perf_counter() - self._began) * 1000
            ours = [
                (b"x-request-id", request_id.get().encode()),
                (b"server-timing", f"app;dur={took_ms:.1f}".encode()),
            ]
            message = {**message, "headers": [*message.get("headers", []), *ours]}
        await self._send(message)


def _as_request(work: Callable[..., Result], *arguments: Any) -> Result:
    """Do the work as Django does a request: broken connections are made anew."""
    close_old_connections()
    try:
        return work(*arguments)
    finally:
        close_old_connections()
