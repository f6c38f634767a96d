"""The worker of one queue: `python -m goclaw.worker quick|embed`.

It wraps django-q2's cluster, whose own command hangs when it is told to stop at the
wrong moment, ends with success when its guard dies, and leaves processes behind when it
is killed. Exit codes: 0 stopped as asked, 70 the guard died, 75 stuck; whoever started
it starts it again.
"""

import argparse
import gc
import logging
import os
import signal
import sys
import time
from types import FrameType

from goclaw.lib.processes import forks_die_with_parent
from goclaw.lib.queue_settings import QUEUES
from goclaw.lib.stopping import request_stop, stop_requested

log = logging.getLogger(__name__)

GUARD_DIED = 70
STUCK = 75
NICENESS = 10
"""Of the embedding worker, which takes all the processor time it can get."""
REAP_EVERY_S = 10.0


def main() -> None:
    """Run the worker until it is told to stop."""
    parser = argparse.ArgumentParser(prog="goclaw worker", description=__doc__)
    parser.add_argument("queue", choices=QUEUES)
    queue = parser.parse_args().queue
    prepare(queue)
    sys.exit(serve(queue))


def prepare(queue: str) -> None:
    """Set up the process; before anything loads Django, NumPy or torch."""
    os.environ["Q_CLUSTER_NAME"] = queue
    # One thread: beside a busy web process more of them only get in each other's way.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")
    if queue == "embed":
        os.nice(NICENESS)
    forks_die_with_parent()

    import django

    django.setup()


def serve(queue: str) -> int:
    """Start the cluster and watch over it; return the exit code."""
    from django.db import connections
    from django_q.signals import post_spawn

    from memory.beats import leave
    from memory.schedules import ensure_schedules

    if queue == "quick":
        ensure_schedules()
    else:
        post_spawn.connect(_load_model)
    connections.close_all()  # a forked process must not use its parent's connection
    gc.collect()
    gc.freeze()  # and need not copy the pages of what never changes
    cluster = _cluster()
    cluster.start()
    code = _watch(queue, cluster)
    if code:
        return code
    log.info("The %s worker stops when its running jobs have ended", queue)
    cluster.stop()
    leave(queue)
    return 0


def _cluster() -> "Cluster":
    class QuietCluster(Cluster):
        """Only notes a signal: stopping inside the handler can block for ever."""

        def sig_handler(self, signum: int, frame: FrameType | None) -> None:
            request_stop()

    return QuietCluster()
