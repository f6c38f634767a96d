"""The real worker, with a handler that obeys its payload and shorter waits."""

import sys
from dataclasses import replace
from datetime import timedelta

from goclaw.worker import prepare


def main() -> None:
    """Run the worker of the queue named on the command line."""
    queue = sys.argv[1]
    prepare(queue)

    from goclaw import cluster
    from memory import beats, reaper, runner
    from memory.models import JobKind
    from memory.queue import POLICIES

    for kind in (JobKind.PRUNE, JobKind.BACKUP):
        POLICIES[kind] = replace(POLICIES[kind], handler="tests.jobs.handlers.obey")
    beats.EVERY_S = 0.3
    cluster.PATIENT_FOR_S = 1.0
    reaper.STUCK_AFTER = timedelta(seconds=2)
    runner.FIRST_PAUSE = timedelta(seconds=0.1)
    runner.LONGEST_PAUSE = timedelta(seconds=0.1)
    sys.exit(cluster.serve(queue))


if __name__ == "__main__":
    main()
