"""A reindex whose worker is killed: it goes on, and searches never notice."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory import reindexing
from memory.models import Chunk, Embedding, Job, JobState, Memory
from memory.search.engines import get_engine
from tests.jobs.running import processes_of, start, wait_for
from tests.people import Api

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

RECORDS = 300


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Callable[[], object]]:
    """Return a function that starts the worker which embeds and makes anew."""
    started: list[subprocess.Popen[str]] = []

    def start_one() -> subprocess.Popen[str]:
        worker = start("tests.jobs.worker_under_test", "embed", state_dir=tmp_path)
        started.append(worker)
        return worker

    yield start_one
    for worker in started:
        worker.kill()
        worker.communicate()
    wait_for(lambda: not processes_of(tmp_path))


def test_killed_half_way_it_goes_on(
    alice_api: Api, admin_api: Api, work: Callable[[], object], tmp_path: Path
) -> None:
    items = [
        {"scope": "personal", "content": f"heron {n}: " + "it stands still. " * 40}
        for n in range(RECORDS)
    ]
    alice_api.post("/memory/records/bulk", {"records": items})
    uid = admin_api.post("/memory/reindex", {"vectors": True}).json()["id"]
    job = Job.objects.get(uid=uid)

    def begun() -> bool:
        job.refresh_from_db()
        assert len(alice_api.search("heron", max_results=50)) == 50
        return job.state != JobState.QUEUED or job.progress_done > 0

    for _ in range(2):
        work()
        wait_for(begun)
        for pid in processes_of(tmp_path):
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not processes_of(tmp_path))
    work()

    def done() -> bool:
        job.refresh_from_db()
        pending = Memory.objects.exclude(index_state="indexed").exists()
        return job.state == JobState.DONE and not pending

    wait_for(done)
    assert job.progress_done == RECORDS
    chunks = list(Chunk.objects.values_list("pk", flat=True))
    assert len(chunks) == RECORDS
    assert set(get_engine().words_of(chunks)) == set(chunks)
    assert set(Embedding.objects.values_list("chunk_id", flat=True)) == set(chunks)
    assert reindexing.follow_settings() is None
