"""Everything stored is revised on request; duplicates are found on request."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actors import Actor, actor_for_turn, actor_for_user
from accounts.kinds import RunKind
from accounts.models import User
from goclaw.lib.errors import BadInput, Forbidden
from memory import records
from memory.drafts import Draft
from memory.lifecycle import dedupe, revising, undoing
from memory.models import Job, Memory, Revision
from tests.lifecycle.conftest import WriteNote
from tests.scripted_model import ScriptedModel

Scripted = Callable[..., ScriptedModel]
RunJobs = Callable[[], int]


def _live() -> list[str]:
    return sorted(Memory.objects.live().current().values_list("content", flat=True))


def _revise(boss: Actor, run_jobs: RunJobs, **fields: Any) -> Job:
    job = revising.request(actor=boss, **fields)
    run_jobs()
    job.refresh_from_db()
    assert job.state == "done", job.error
    return job


def _addresses(note: WriteNote) -> None:
    """Write a history out of its order."""
    now = timezone.now()
    for days, last in ((1, 14), (9, 12), (5, 13)):
        note(
            f"The staging DB is 10.0.4.{last}",
            observed_at=now - timedelta(days=days),
        )
    note("The staging cache is 10.0.4.12")


def test_a_topic_collapses_onto_its_newest(
    note: WriteNote, boss: Actor, run_jobs: RunJobs
) -> None:
    _addresses(note)
    job = _revise(boss, run_jobs)
    assert _live() == [
        "The staging DB is 10.0.4.14",
        "The staging cache is 10.0.4.12",
    ]
    assert (job.result["retired_by_rules"], job.result["waiting"]) == (2, 2)
    by = {r.memory.content: r.replacement for r in Revision.objects.all()}
    assert by["The staging DB is 10.0.4.12"].content == "The staging DB is 10.0.4.13"
    undoing.undo_run(actor=boss, run=str(job.uid))
    assert len(_live()) == 4
    assert _revise(boss, run_jobs).result.get("retired_by_rules", 0) == 1


def test_a_dry_run_only_reports(
    note: WriteNote, boss: Actor, run_jobs: RunJobs, scripted: Scripted
) -> None:
    model = scripted()
    _addresses(note)
    note("The Grafana port is 3000", tags=["critical"])
    note("The Grafana port is 3001")
    job = _revise(boss, run_jobs, dry_run=True)
    assert job.result == {"retired_by_rules": 2, "notes": 4, "most_model_calls": 1}
    assert "The staging DB is 10.0.4.13 (rule address)" in job.report
    assert "3001" not in job.report
    assert len(_live()) == 6
    assert not model.asked
    assert not Memory.objects.filter(to_judge=True).exists()


def test_the_judge_is_asked_about_the_rest_in_the_same_run(
    note: WriteNote, boss: Actor, run_jobs: RunJobs, scripted: Scripted
) -> None:
    note("The shop deploys every Tuesday at noon")
    note("The shop deploys every Thursday at noon")
    scripted({"notes": [{"note": 1, "verdict": "replaced"}]})
    job = _revise(boss, run_jobs)
    assert _live() == ["The shop deploys every Thursday at noon"]
    assert job.result["model_calls"] == 1
    assert Revision.objects.get().run == str(job.uid)
    assert (job.progress_done, job.progress_total) == (2, 2)


def test_a_second_time_changes_nothing(
    note: WriteNote, boss: Actor, run_jobs: RunJobs
) -> None:
    _addresses(note)
    _revise(boss, run_jobs)
    before = Revision.objects.count()
    assert "retired_by_rules" not in _revise(boss, run_jobs).result
    assert Revision.objects.count() == before


def test_who_may_revise(alice: User) -> None:
    with pytest.raises(Forbidden):
        revising.request(actor=actor_for_user(alice))


# --- duplicates ----------------------------------------------------------------------
def _dedupe(actor: Actor, run_jobs: RunJobs, **fields: Any) -> Job:
    job = dedupe.request(actor=actor, **{"scope": "agent_notes"} | fields)
    run_jobs()
    job.refresh_from_db()
    assert job.state == "done", job.error
    return job


def test_the_newest_of_the_same_stays(
    note: WriteNote, boss: Actor, run_jobs: RunJobs
) -> None:
    day = timezone.now() - timedelta(days=1)
    note("Backups of the shop run at 02:00 every night.")
    note("The backups of the shop run at 2 am every night", observed_at=day)
    note("Backups of the shop run at 03:00 every night")
    note("Backups of the shop do not run at 02:00 every night")
    note("Backups of the bakery run at 02:00 every night")
    dry = _dedupe(boss, run_jobs, dry_run=True)
    assert dry.result == {"groups": 1, "duplicates": 1}
    assert len(_live()) == 5
    job = _dedupe(boss, run_jobs)
    assert job.result == {"groups": 1, "retired": 1}
    assert len(_live()) == 4
    revision = Revision.objects.get()
    assert (revision.via, revision.actor_id) == ("dedupe", boss.user_id)
    assert revision.memory.content.startswith("The backups")
    undoing.undo_run(actor=boss, run=str(job.uid))
    assert _dedupe(boss, run_jobs).result == {"groups": 1, "retired": 0}


def test_a_high_ratio_wants_almost_the_same_words(
    note: WriteNote, boss: Actor, run_jobs: RunJobs
) -> None:
    note("The nightly backup job runs at 2 pm")
    note("Nightly backup jobs are run at 14:00")
    assert _dedupe(boss, run_jobs, ratio=1).result == {"groups": 0}
    assert _dedupe(boss, run_jobs, ratio=0.6).result == {"groups": 1, "retired": 1}


def test_ones_own_records(alice: User, bob: User, run_jobs: RunJobs) -> None:
    me, other = actor_for_user(alice), actor_for_user(bob)
    for actor in (me, other):
        for content in ("I like green tea", "I like green tea."):
            records.write(actor=actor, draft=Draft(scope="personal", content=content))
    assert _dedupe(me, run_jobs, scope="personal").result["retired"] == 1
    assert Memory.objects.current().filter(owner=bob).count() == 2


@pytest.mark.parametrize("fields", [{"ratio": 0.1}, {"ratio": 2}, {"scope": "wiki"}])
def test_bad_requests(boss: Actor, fields: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        dedupe.request(actor=boss, **{"scope": "agent_notes"} | fields)


def test_who_may_dedupe(alice: User, admin: User) -> None:
    for actor, scope in (
        (actor_for_user(alice), "agent_notes"),
        (actor_for_turn(admin, run=RunKind.CRON), "agent_notes"),
        (actor_for_turn(admin, run=RunKind.CRON), "personal"),
    ):
        with pytest.raises(Forbidden):
            dedupe.request(actor=actor, scope=scope)
