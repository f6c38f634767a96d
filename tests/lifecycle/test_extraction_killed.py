"""Jobs that are killed between any two steps go on: nothing is lost or done twice."""

import signal
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from memory import llm, reaper
from memory.models import Job, JobKind, JobState, Memory, Session
from memory.queue import enqueue
from tests.jobs.running import start
from tests.lifecycle.killed_job import POINTS, Repeating
from tests.sessions.talking import opened, said, say

pytestmark = [pytest.mark.cluster, pytest.mark.django_db(transaction=True)]

SMALL = {"GOCLAW_MODEL_MAX_INPUT_CHARS": "1000"}


@pytest.fixture(autouse=True)
def _own_place(settings, tmp_path):
    settings.GOCLAW_STATE_DIR = tmp_path


def to_the_end(job, tmp_path):
    """Run the job, killed once at each of its points, until it is done."""

    def run(*point):
        Job.objects.filter(pk=job.pk).update(run_at=timezone.now(), attempts=0)
        process = start(
            "tests.lifecycle.killed_job",
            str(job.pk),
            *point,
            state_dir=tmp_path,
            **SMALL,
        )
        output, _ = process.communicate(timeout=120)
        return process.returncode, output

    for point in POINTS[job.kind]:
        code, output = run(point)
        assert code == -signal.SIGKILL, (point, output)
        yield point
        reaper.reap()
    code, output = run()
    assert code == 0, output
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    yield "the end"


def test_extraction_learns_each_message_once(admin_api, tmp_path, monkeypatch):
    monkeypatch.setattr(llm, "get_model", Repeating)
    session = opened(admin_api)
    texts = [f"Pump {n} of hall H{n} is red." for n in range(60)]
    say(admin_api, session, *(said(text) for text in texts))
    uid = admin_api.post(f"{session}/extract").json()["id"]
    job = Job.objects.get(uid=uid)
    for point in to_the_end(job, tmp_path):
        found = list(
            Memory.objects.filter(origin="extraction").values_list("content", flat=True)
        )
        heard = Session.objects.get().extracted_to
        assert sorted(found) == sorted(texts[:heard]), point
    assert heard == 60


def test_consolidation_goes_on_where_it_was(note, run_jobs, tmp_path):
    for n in range(60):
        note(f"The backup of wiki W{n} runs nightly.")
        note(f"The backup of wiki W{n} runs nightly at {n % 24:02d}:00.")
    run_jobs()
    before = set(Memory.objects.values_list("content", flat=True))
    job = enqueue(JobKind.CONSOLIDATE, key="scheduled")
    live_before = 120
    for point in to_the_end(job, tmp_path):
        live = Memory.objects.current().live()
        assert live.count() <= live_before, point
        live_before = live.count()
        everything = set(Memory.objects.values_list("content", flat=True))
        assert before <= everything, point
        retired = Memory.objects.exclude(superseded_at=None)
        assert all(memory.superseded_by_id for memory in retired), point
    assert live_before == 60
    assert Counter(live.values_list("content", flat=True)).most_common(1)[0][1] == 1


def test_curation_loses_and_doubles_nothing(admin_api, tmp_path, monkeypatch):
    monkeypatch.setattr(llm, "get_model", Repeating)
    workspace = tmp_path / "workspace"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "Memory.md").write_text("# Memory\n\nBy hand.\n")
    texts = []
    for n in range(20):
        day = timezone.localdate() - timedelta(days=60 + n)
        texts.append(f"Pump {n} of hall H{n} moved to Ilanz.")
        path = workspace / "memory" / f"{day.isoformat()}.md"
        path.write_text(f"{texts[-1]}\n")
    for n in range(20):
        texts.append(f"Valve {n} of hall H{n} is made of brass.")
        Memory.objects.create(
            space_id=_global(),
            scope="global",
            content=texts[-1],
            origin="person",
            observed_at=timezone.now() - timedelta(days=60),
            created_at=timezone.now() - timedelta(days=60),
        )
    uid = admin_api.post("/memory/consolidate", {}).json()["id"]
    job = Job.objects.get(uid=uid)
    for point in to_the_end(job, tmp_path):
        text = (workspace / "Memory.md").read_text()
        assert text.startswith("# Memory\n\nBy hand.\n"), point
        kept = [path.read_text() for path in (workspace / "memory").glob("*.md")]
        kept += Memory.objects.live().values_list("content", flat=True)
        for fact in texts:
            assert text.count(f"- {fact}\n") <= 1, point
            assert fact in text or fact in "".join(kept), point
    assert [path.name for path in (workspace / "memory").glob("*.md")] == []
    assert len(list((workspace / "memory" / "archived").iterdir())) == 20
    assert not Memory.objects.live().filter(scope="global").exists()
    assert all(text.count(f"- {fact}\n") == 1 for fact in texts)
    assert list(tmp_path.rglob("*.new")) == []


def _global():
    from memory.models import Space

    return Space.objects.get(kind="global", path="").pk
