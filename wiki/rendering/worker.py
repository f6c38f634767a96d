"""The process that formats texts: `python -m wiki.rendering.worker`.

Reads requests from its standard input, a socket, and answers there; ends when the other
side is gone. Knows no Django and no database, so it starts quickly and holds no secret.
"""

import contextlib
import gc
import resource
import signal
import socket
from typing import Any

from wiki.rendering.cleaning import Page, clean
from wiki.rendering.frames import Closed, receive, send
from wiki.rendering.links import PAGES
from wiki.rendering.markup import to_html

MAX_MEMORY = 1024**3
MAX_OUTPUT = 8 * 1024 * 1024
"""Characters: references that are used often can make much out of little."""
ALARM_S = 6
"""Whoever waited has given up by then; the kernel ends what hangs, also in C."""


def main() -> None:
    """Answer until the other side closes."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A tree of a page is many objects; looking for cycles among them takes a fifth of
    # the time, and can wait until nobody does.
    gc.disable()
    channel = socket.socket(fileno=0)
    with contextlib.suppress(Closed, OSError):
        send(channel, {"ready": True})
        while True:
            request = receive(channel)
            signal.setitimer(signal.ITIMER_REAL, ALARM_S)
            answer = _answer(request)
            send(channel, answer)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if answer.get("failed") == "too_large":
                return  # a process that ran out of memory starts afresh
            gc.collect()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    page = Page(
        base=f"{PAGES}{request['slug']}", remote_images=request["remote_images"]
    )
    try:
        html = clean(to_html(request["text"]), page)
    except RecursionError:
        return {"failed": "too_deep"}
    except MemoryError:
        return {"failed": "too_large"}
    except Exception:  # noqa: BLE001 - whatever a text provokes, it is shown as source
        return {"failed": "error"}
    if len(html) > MAX_OUTPUT:
        return {"failed": "too_large"}
    return {
        "html": html,
        "toc": [(e.level, e.title, e.id) for e in page.headings.entries],
        "links": list(page.links),
        "text": "".join(page.text).strip(),
    }


if __name__ == "__main__":
    main()
