"""A trim of ten thousand messages, killed between any two steps, and taken up again."""

import signal

import pytest
from django.utils import timezone

from memory import reaper
from memory.models import Job, JobState, Memory, Session
from memory.sessions import archiving
from tests.jobs.running import start
from tests.sessions.talking import heard, opened, said, say
from tests.sessions.trim_under_test import POINTS

pytestmark = [pytest.mark.cluster, pytest.mark.django_db(transaction=True)]

MESSAGES = 10_000


def test_killed_at_every_step_it_goes_on_and_loses_nothing(
    alice_api, tmp_path, settings
):
    settings.GOCLAW_STATE_DIR = tmp_path
    settings.GOCLAW_SESSIONS = settings.GOCLAW_SESSIONS | {
        "max_messages": 2 * MESSAGES,
        "max_tokens": 10**9,
    }
    session = opened(alice_api)
    sent = [f"We decided on {n} m. {n}" for n in range(MESSAGES)]
    for at in range(0, MESSAGES, 500):
        say(
            alice_api,
            session,
            *(said(sent[n], client_id=f"c{n}") for n in range(at, at + 500)),
        )
    uid = alice_api.post(f"{session}/trim", {"force": True}).json()["id"]
    job = Job.objects.get(uid=uid)

    def run(*point):
        Job.objects.filter(pk=job.pk).update(run_at=timezone.now(), attempts=0)
        process = start(
            "tests.sessions.trim_under_test",
            str(job.pk),
            *point,
            state_dir=tmp_path,
            GOCLAW_SESSION_MAX_MESSAGES=str(2 * MESSAGES),
            GOCLAW_SESSION_MAX_TOKENS=str(10**9),
        )
        output, _ = process.communicate(timeout=120)
        return process.returncode, output

    for point in POINTS:
        code, output = run(point)
        assert code == -signal.SIGKILL, (point, output)
        row = Session.objects.get()
        archived = [turn.content for turn in archiving.load(row)]
        kept = sent[: row.trimmed_to] if row.trimmed_to else []
        assert archived[: len(kept)] == kept
        assert heard(alice_api, session) == sent[row.trimmed_to :], point
        reaper.reap()
    assert run()[0] == 0
    job.refresh_from_db()
    assert job.state == JobState.DONE
    row = Session.objects.get()
    assert row.trimmed_to == MESSAGES // 2
    assert [turn.content for turn in archiving.load(row)] == sent[: MESSAGES // 2]
    assert heard(alice_api, session) == sent[MESSAGES // 2 :]
    assert "We decided on" in alice_api.get(session).json()["summary"]["text"]
    assert Memory.objects.current().filter(kind="summary").count() == 1
    assert list(tmp_path.rglob("*.new")) == []
    again = say(alice_api, session, *(said(sent[n], client_id=f"c{n}") for n in (0, 9)))
    assert [one["deduplicated"] for one in again] == [True, True]
