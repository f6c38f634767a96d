"""Load in the background what the first search would otherwise wait for."""

import gc
import logging
import threading
import time

from django.db import connection

from wiki.rendering import pool

COLLECT_AFTER = 20_000
"""Objects made and not yet freed; Python's own is 700."""

PATIENCE_S = 120.0
"""How long a model that does not answer yet is asked again."""

logger = logging.getLogger(__name__)


def warm_up() -> threading.Thread:
    """Start what formats pages; load model and vectors in the thread it returns."""
    pool.warm_up()
    thread = threading.Thread(target=_load, name="warm-up", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    from memory.search import model_state, prefetch  # once Django is set up

    end = time.monotonic() + PATIENCE_S
    try:
        prefetch()
        while not model_state()[0] and time.monotonic() < end:
            time.sleep(1)
            prefetch()
    except Exception:
        logger.exception("Loading the search ahead failed; the first search will try")
    finally:
        connection.close()
    _collect_rarely()


def _collect_rarely() -> None:
    """Spare requests most of the collector's work, 1.3 ms of a search.

    What is loaded by now stays, so it is not looked at again; and a search makes some
    thousands of small objects, none of them in circles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
