"""Settings of django-q2 under which a job is neither repeated for ever nor lost."""

from typing import Any

QUEUES = ("quick", "embed")


def queue_settings(*, workers: int, timeout_s: int) -> dict[str, Any]:
    """Return `Q_CLUSTER`: two queues, one process each that hands out the work.

    `workers` is the number of processes for quick jobs; embedding has one, since it
    holds the model. `timeout_s` is the longest a job may take, in seconds.

    Our own job table counts attempts and repeats, so django-q2 only carries: every
    delivery is acknowledged, and a success leaves no row.
    """
    return {
        "name": "goclaw",
        "orm": "default",
        "cache": "qstat",
        "timeout": timeout_s,
        # A row is locked from the moment it is taken out, so the lock has to outlast a
        # running job, one that waits in memory, and one in the hand of the pusher.
        "retry": 4 * (timeout_s + 3),
        "max_attempts": 3,
        "ack_failures": True,
        "save_limit": -1,
        "bulk": 1,
        "poll": 0.2,
        "guard_cycle": 0.5,  # other fractions may never count down to exactly zero
        "catch_up": False,
        "log_level": "WARNING",
        # Taking more than there are workers hands jobs out a second time.
        "ALT_CLUSTERS": {
            "quick": {"workers": workers, "queue_limit": workers, "recycle": 2000},
            # Without a scheduler: SQLite has no row locks, so one cluster may have one.
            # Never recycled: a new process would load the model again.
            "embed": {
                "workers": 1,
                "queue_limit": 1,
                "recycle": 0,
                "scheduler": False,
            },
        },
    }
