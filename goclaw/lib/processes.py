"""Who a process is, whether it still lives, and that it does not outlive its parent."""

import ctypes
import functools
import os
import signal
import socket
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_LINUX = sys.platform == "linux"


def host_name() -> str:
    """Return the name of this host; on Linux one name for each set of process ids.

    Containers may share a host name and still not see each other's processes.
    """
    if not _LINUX:
        return socket.gethostname()
    namespace = Path("/proc/self/ns/pid").readlink().name.strip("pid:[]")
    return f"{socket.gethostname()}/{namespace}"


def identity(pid: int | None = None) -> str:
    """Return `host:process id:start time`, which no other process ever has."""
    pid = pid or os.getpid()
    return f"{host_name()}:{pid}:{_start_time(pid)}"


def is_gone(process: str) -> bool:
    """Say whether a process of this host, named by its identity, is certainly gone."""
    host, _, rest = process.rpartition(":")[0].rpartition(":")
    if host != host_name() or not rest.isdigit():
        return False
    return identity(int(rest)) != process


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent (a process id) dies.

    Linux only; elsewhere a parent that is killed leaves its children to the next start.
    """
    if not _LINUX:
        return
    _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the kernel knew
        os._exit(1)


def forks_die_with_parent() -> None:
    """Have all that is forked from here on die with the process that forked it."""
    parent = os.getpid()

    def remember() -> None:
        nonlocal parent
        parent = os.getpid()

    os.register_at_fork(before=remember, after_in_child=lambda: die_with_parent(parent))


def switch_threads_often() -> None:
    """Have threads of this process take turns at Python every millisecond.

    What a model or a database gives back is waited for, and 5 ms, as usual, would
    be a quarter of a search.
    """
    sys.setswitchinterval(0.001)


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _start_time(pid: int) -> str:
    """Return what tells a process from a later one with the same id; "" if gone."""
    if not _LINUX:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return ""
        except PermissionError:
            pass
        return "0"
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    # The name in parentheses may hold spaces; after it: state, ..., start (field 22).
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
