"""Note what was returned to whom, without making the search wait for a write."""

import contextlib
import logging
import queue
import threading
import uuid
from collections.abc import Sequence

from django.db import DatabaseError, connection

from accounts.actors import Actor
from goclaw.lib.config import search_config
from memory.models import Memory, RecallLog
from memory.search.types import SearchHit, SearchQuery

logger = logging.getLogger(__name__)

PAUSE_S = 1.0
MAX_WAITING = 10_000

_waiting: "queue.Queue[RecallLog]" = queue.Queue(MAX_WAITING)
_started = threading.Lock()


def note(actor: Actor, query: SearchQuery, hits: Sequence[SearchHit]) -> None:
    """Hand the hits of an answer to the writer; under too much load they are lost."""
    config = search_config()
    if not config.log_recalls or not hits:
        return
    search = uuid.uuid4()
    for rank, hit in enumerate(hits, 1):
        row = RecallLog(
            search=search,
            memory_id=hit.record,
            rank=rank,
            score=hit.score,
            user_id=actor.user_id,
            run_kind=actor.run,
            query=query.text if config.log_queries else "",
        )
        try:
            _waiting.put_nowait(row)
        except queue.Full:
            return
    _start_writer()


def flush() -> int:
    """Write what waits now; return how many rows."""
    rows = []
    with contextlib.suppress(queue.Empty):
        while True:
            rows.append(_waiting.get_nowait())
    # A record may have been deleted since it was found.
    ids = {row.memory_id for row in rows}
    there = set(Memory.objects.filter(pk__in=ids).values_list("pk", flat=True))
    kept = [row for row in rows if row.memory_id in there]
    RecallLog.objects.bulk_create(kept)
    return len(kept)


def _start_writer() -> None:
    if _started.acquire(blocking=False):
        threading.Thread(target=_write, name="recall-log", daemon=True).start()


def _write() -> None:
    pause = threading.Event()
    while not pause.wait(PAUSE_S):
        if _waiting.empty():
            continue
        try:
            flush()
        except DatabaseError:
            logger.warning("The recall log lost some rows", exc_info=True)
            connection.close()
