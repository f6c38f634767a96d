"""What the tests of jobs share."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from memory.models import Job, JobKind
from memory.queue import POLICIES, enqueue
from tests.jobs.handlers import HERE


@pytest.fixture
def job_doing(monkeypatch: pytest.MonkeyPatch, db: None) -> Callable[..., Job]:
    """Return a function that queues a job which a handler of the tests will run."""

    def queue_one(handler: str, **options: object) -> Job:
        policy = replace(POLICIES[JobKind.PRUNE], handler=f"{HERE}.{handler}")
        monkeypatch.setitem(POLICIES, JobKind.PRUNE, policy)
        return enqueue(JobKind.PRUNE, **options)  # type: ignore[arg-type]

    return queue_one
