"""The web process: `python -m goclaw.web`. Prepares the database, then serves.

In one process, since loading Django is most of a start; whatever there is to prepare is
done before the first request can be answered.
"""

import argparse
import os
import signal
import sys
from typing import Any

GRACE_S = 10
"""Seconds that requests get to end when the server stops."""
SWITCH_S = 0.001
"""How long a thread keeps Python from the others: what comes back from a model or a
database is waited for, and Python's own 5 ms would be half of a search."""


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m goclaw.web")
    parser.add_argument("--demo", action="store_true", help="load sample data first")
    demo = parser.parse_args().demo
    # Before NumPy loads: its threads and those of torch only get in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")

    import django
    import uvicorn
    from django.core.management import call_command

    from goclaw.lib.server import server_config

    sys.setswitchinterval(SWITCH_S)
    django.setup()
    call_command("prepare", demo=demo)
    config = server_config()
    signal.signal(signal.SIGTERM, _end)  # uvicorn passes it on when it has stopped
    uvicorn.run(
        "goclaw.asgi:application",
        host=config.host,
        port=config.port,
        access_log=False,
        log_config=None,  # ours is in place
        log_level="warning",
        timeout_graceful_shutdown=GRACE_S,
    )


def _end(signum: int, frame: Any) -> None:
    """End the processes that format pages, then this one by the same signal."""
    from wiki.rendering import pool

    pool.close()
    signal.signal(signum, signal.SIG_DFL)
    signal.raise_signal(signum)


if __name__ == "__main__":
    main()
