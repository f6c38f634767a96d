"""Job functions that do as their payload says, in place of the real ones."""

import os
import signal
import time
from pathlib import Path

from goclaw.lib.errors import BadInput
from memory.models import Job
from memory.runner import JobResult, JobRun

HERE = "tests.jobs.handlers"


def count(run: JobRun) -> JobResult:
    """Report three things done."""
    run.heartbeat(3, 3, "counting")
    return JobResult({"things": 3})


def stumble(run: JobRun) -> JobResult:
    """Meet an error that may pass."""
    raise ConnectionError("no route to the model")


def refuse(run: JobRun) -> JobResult:
    """Meet an error that stays."""
    raise BadInput("This can never work.", remedy="Do not try.")


def overrun(run: JobRun) -> JobResult:
    """End as django-q2 ends what takes too long."""
    raise SystemExit("Task exceeded maximum timeout value (1 seconds)")


def half(run: JobRun) -> JobResult:
    """Do one thing and leave the rest."""
    return JobResult({"things": 1}, finished=False)


def broken_off(run: JobRun) -> JobResult:
    """Do one thing; the first time it ends in the middle, like a kill or an error."""
    run.counted["things"] += 1
    if not run.payload.get("again"):
        run.payload["again"] = True
        run.remember()
        raise {"kill": KeyboardInterrupt, "error": ConnectionError}[run.payload["by"]]
    return JobResult({"others": 1})


def cancelled_meanwhile(run: JobRun) -> JobResult:
    """Be cancelled by somebody else in the middle."""
    from memory.queue import cancel

    cancel(Job.objects.get(pk=run.id))
    run._written = 0.0  # the last progress was written long ago
    run.heartbeat(1)
    raise AssertionError("the heartbeat should have ended this")


def requeued_meanwhile(run: JobRun) -> JobResult:
    """See the same work become necessary again while at it."""
    from memory.models import JobKind
    from memory.queue import enqueue

    enqueue(JobKind.PRUNE, key=run.payload["key"])
    if run.payload.get("then") == "stumble":
        return stumble(run)
    return JobResult({"things": 1})


def obey(run: JobRun) -> JobResult:
    """Write a line to the file of the payload, then do what it says."""
    with Path(run.payload["file"]).open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()} {os.getppid()}\n")
    match run.payload.get("do"):
        case "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        case "sleep":
            time.sleep(run.payload["seconds"])
        case "wait for stop":
            while not run.should_stop():
                time.sleep(0.05)
            return JobResult(finished=False)
    return JobResult({"things": 1})
