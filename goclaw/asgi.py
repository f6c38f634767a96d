"""What uvicorn serves.

Django runs as WSGI in a fixed pool of threads: each keeps its database connection (and
SQLite its page cache), and PostgreSQL never sees more connections than threads. `/mcp`
is served beside it and works in the same threads.
"""

from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings

import goclaw.wsgi  # sets Django up, which what follows needs
from goclaw.mcp import McpDoor
from goclaw.mcp.door import PATHS
from goclaw.warmup import warm_up

_django = WSGIMiddleware(
    goclaw.wsgi.application,  # type: ignore[arg-type]  # a WSGI app, typed otherwise
    workers=settings.GOCLAW_WEB_THREADS,
)
_mcp = McpDoor(_django.executor)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Hand a request to the protocol's door or to Django."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http" and scope["path"] in PATHS:
        await _mcp(scope, receive, send)
    else:
        await _django(scope, receive, send)


async def _live(receive: Any, send: Any) -> None:
    """Take part in the server's start and stop."""
    await receive()
    warm_up()  # in the background: what the first search would otherwise wait for
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await _mcp.stop()
    await send({"type": "lifespan.shutdown.complete"})
