"""Run django-q2's cluster for one queue, and watch over it.

Its own command hangs when it is told to stop at the wrong moment, ends with success
when its guard dies, and leaves processes behind when it is killed. Here a signal only
sets a flag, a dead or stuck cluster ends with an exit code that has it started again,
and every fork dies with the process that forked it.
"""

import gc
import logging
import threading
import time
from datetime import timedelta
from types import FrameType
from typing import Any

from django.db import DatabaseError, connections
from django_q.cluster import Cluster
from django_q.signals import post_spawn

from goclaw.lib.stopping import request_stop, stop_requested
from memory import beats
from memory.entries import INDEX_KEY
from memory.jobs import warm_up
from memory.models import JobKind
from memory.queue import Queue, enqueue
from memory.reaper import is_stuck, reap
from memory.schedules import ensure_schedules, schedules_are_late

log = logging.getLogger(__name__)

STOPPED = 0
GUARD_DIED = 70
STUCK = 75
PATIENT_FOR_S = 180.0
"""After a start, while a model may still be loading, waiting jobs prove nothing."""


class QuietCluster(Cluster):  # type: ignore[misc]
    """A cluster that only notes a signal; stopping inside its handler can deadlock."""

    def sig_handler(self, signum: int, frame: FrameType | None) -> None:
        """Ask for a stop, here and in the forks."""
        request_stop()


def serve(queue: str) -> int:
    """Work until told to stop; return the exit code."""
    _before_the_fork(queue)
    cluster = QuietCluster()
    cluster.start()
    try:
        code = _watch(queue, cluster)
        if code == STOPPED:
            log.info("The %s worker stops when its running jobs have ended", queue)
            code = _stop(cluster)
            beats.leave(queue)
        return code
    finally:
        cluster.sentinel.kill()  # if it still lives, and all it forked with it


def _stop(cluster: Cluster) -> int:
    """Have the cluster end its jobs; return 0, or that its guard died instead.

    In a thread, since the event it sets hangs if the guard died while it waited for it,
    as when a signal goes to the whole session.
    """
    threading.Thread(target=cluster.stop, daemon=True).start()
    while cluster.sentinel.is_alive():
        time.sleep(0.05)
    return STOPPED if cluster.sentinel.exitcode == 0 else GUARD_DIED


def _before_the_fork(queue: str) -> None:
    if queue == Queue.QUICK:
        ensure_schedules()
    else:
        post_spawn.connect(_load_model)
        enqueue(JobKind.INDEX, key=INDEX_KEY)  # whatever is pending
    # What the last worker had taken out of the queue died with it.
    reap(patience=timedelta())
    connections.close_all()
    gc.collect()
    gc.freeze()  # the forks share the memory of what never changes


def _load_model(**signal: Any) -> None:
    warm_up()


def _watch(queue: str, cluster: Cluster) -> int:
    """Return 0 when a stop was asked for, or why the cluster has to be replaced."""
    started = time.monotonic()
    next_round = started
    while not stop_requested():
        if not cluster.sentinel.is_alive():
            log.error("The guard of the %s worker died", queue)
            return GUARD_DIED
        now = time.monotonic()
        if now >= next_round:
            next_round = now + beats.EVERY_S
            if _look_after(queue) and now - started > PATIENT_FOR_S:
                log.error("The %s worker is stuck", queue)
                return STUCK
        time.sleep(0.1)
    return STOPPED


def _look_after(queue: str) -> bool:
    """Do what is due every few seconds; say whether the cluster is stuck."""
    try:
        beats.beat(queue)
        reap()
        if queue == Queue.QUICK and schedules_are_late():
            ensure_schedules()
        return is_stuck(queue)
    except DatabaseError:
        log.exception("The %s worker cannot reach its database", queue)
        connections.close_all()
        return False
