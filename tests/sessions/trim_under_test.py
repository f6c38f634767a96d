"""The trim job in a process of its own, which kills itself where it is told to."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

POINTS = (
    "before anything",
    "the archive written aside",
    "the archive in its place",
    "the archive noted",
    "the summary written, not committed",
    "the summary stored",
    "the messages cut, not committed",
    "the messages cut",
)


def main() -> None:
    """Run the job of the command line up to a point, or to its end without one."""
    import django

    django.setup()

    from goclaw.lib import files
    from memory import runner
    from memory.sessions import archiving, trimming

    job, point = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    match point:
        case "before anything":
            trimming.archive = die
        case "the archive written aside":
            files.os.fsync = die
        case "the archive in its place":
            archiving.store = after(archiving.store)
        case "the archive noted":
            trimming.archive = after(trimming.archive)
        case "the summary written, not committed":
            trimming._remember = after(trimming._remember)
        case "the summary stored":
            trimming.summarise = after(trimming.summarise)
        case "the messages cut, not committed":
            trimming.plan = die
        case "the messages cut":
            trimming.cut = after(trimming.cut)
    runner.run(job)


def die(*args: object, **kwargs: object) -> None:
    """Be gone at once, as by kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does what the given one does, and then is gone."""

    def once(*args: object, **kwargs: object) -> None:
        function(*args, **kwargs)
        die()

    return once


if __name__ == "__main__":
    main()
