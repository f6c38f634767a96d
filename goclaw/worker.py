"""The worker of one queue: `python -m goclaw.worker quick|embed`.

Only what has to happen before Django, NumPy or torch are loaded; the rest is in
`goclaw.cluster`.
"""

import argparse
import os
import sys

from goclaw.lib.processes import forks_die_with_parent
from goclaw.lib.queue_settings import QUEUES

NICENESS = 10
"""Of both workers: people and agents who wait for an answer come first."""


def main() -> None:
    """Run the worker of the queue named on the command line until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m goclaw.worker")
    parser.add_argument("queue", choices=QUEUES)
    queue = parser.parse_args().queue
    prepare(queue)

    from goclaw.cluster import serve

    sys.exit(serve(queue))


def prepare(queue: str) -> None:
    """Set up the process for its queue, and Django in it."""
    os.environ["Q_CLUSTER_NAME"] = queue
    # One thread: beside a busy web process more of them only get in each other's way.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")
    os.nice(NICENESS)
    forks_die_with_parent()

    import django

    django.setup()


if __name__ == "__main__":
    main()
