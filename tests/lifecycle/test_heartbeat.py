"""Every few hours, if a setting says so, each agent's memory is looked after."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Schedule

from memory.models import Job, JobKind, JobState, Memory, Session
from memory.queue import enqueue
from memory.schedules import ensure_schedules
from tests.sessions.talking import opened, say

pytestmark = pytest.mark.django_db

ALARM = "The alarm of the Steg gauge is at 4.2 m."
MOVED = "The pump moved to Ilanz."


@pytest.fixture(autouse=True)
def place(settings, tmp_path):
    settings.GOCLAW_STATE_DIR = tmp_path
    return tmp_path


def beat(run_jobs):
    job = enqueue(JobKind.HEARTBEAT, key="scheduled")
    run_jobs()
    job.refresh_from_db()
    return job


def daily(folder, days):
    day = timezone.localdate() - timedelta(days=days)
    path = folder / "workspace" / "memory" / f"{day.isoformat()}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{MOVED}\n", encoding="utf-8")
    return path


def test_each_agent_is_looked_after_and_a_line_is_left(
    place, admin_api, scripted, run_jobs
):
    old = daily(place / "agents" / "scout", 40)
    young = daily(place, 2)
    session = opened(admin_api)
    say(admin_api, session, ALARM)
    Session.objects.update(closed_at=timezone.now())
    said = {"text": ALARM, "kind": "fact", "message": 1}
    scripted(
        {"facts": [said]},
        {"facts": [{"text": MOVED, "notes": [1]}]},
        always={"JudgeReply": {"verdicts": []}},
    )
    records = Memory.objects.create(
        space_id=_global(),
        scope="global",
        content="x",
        observed_at=_long_ago(),
        created_at=_long_ago(),
        origin="person",
    )
    job = beat(run_jobs)
    assert job.state == JobState.DONE, job.error
    assert job.report.splitlines() == [
        "default: 1 sessions heard, 1 facts learned,"
        " 0 daily notes taken into Memory.md",
        "scout: 0 sessions heard, 0 facts learned, 1 daily notes taken into Memory.md",
    ]
    assert (job.result["learned"], job.result["files"]) == (1, 1)
    assert Memory.objects.filter(origin="extraction", content=ALARM).exists()
    assert MOVED in (place / "agents/scout/workspace/Memory.md").read_text()
    assert not old.exists()
    assert young.exists()
    records.refresh_from_db()
    assert not records.is_forgotten, "global records are taken on request only"
    assert not Memory.objects.filter(content__contains="sessions heard").exists()


def _global():
    from memory.models import Space

    return Space.objects.get(kind="global", path="").pk


def _long_ago():
    return timezone.now() - timedelta(days=400)


def test_without_a_model_it_waits(run_jobs):
    job = beat(run_jobs)
    assert (job.state, job.result) == (JobState.DONE, {"waiting": 1})
    assert "No background model" in job.report


@pytest.mark.parametrize("hours", [0, 6])
def test_it_is_off_unless_a_setting_says_how_often(hours, settings):
    settings.GOCLAW_UPKEEP = settings.GOCLAW_UPKEEP | {"heartbeat_hours": hours}
    ensure_schedules()
    rows = Schedule.objects.filter(name="sys-memory-heartbeat")
    assert list(rows.values_list("minutes", flat=True)) == ([360] if hours else [])
    nightly = Schedule.objects.get(name="sys-memory-consolidate")
    assert timezone.localtime(nightly.next_run).hour == 3
    assert not Job.objects.exists()
