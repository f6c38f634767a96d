"""A stop request that every process forked from this one can see."""

import mmap

# Shared memory instead of a lock or an event: a signal handler may set it at any
# moment, and a process that is killed cannot leave it locked.
_flag = mmap.mmap(-1, 1)


def request_stop() -> None:
    """Ask this process and all it has forked to bring their work to an end."""
    _flag[0] = 1


def stop_requested() -> bool:
    """Say whether work should come to an end."""
    return _flag[0] == 1
