"""Load in the background what the first search would otherwise wait for."""

import logging
import threading

from django.db import connection

from wiki.rendering import pool

logger = logging.getLogger(__name__)


def warm_up() -> threading.Thread:
    """Start what formats pages; load model and vectors in the thread it returns."""
    pool.warm_up()
    thread = threading.Thread(target=_load, name="warm-up", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    from memory.search import prefetch  # models: only once Django is set up

    try:
        prefetch()
    except Exception:
        logger.exception("Loading the search ahead failed; the first search will try")
    finally:
        connection.close()
