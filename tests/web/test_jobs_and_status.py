"""Jobs and status: who sees what, retry by administrators, figures that add up."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.models import Job, JobKind, JobState, Memory, RecallLog, WorkerBeat
from memory.web.charts import HEIGHT, WIDTH, bar_chart

pytestmark = pytest.mark.django_db

Write = Callable[..., Memory]


def make_job(state: JobState, **fields: Any) -> Job:
    return Job.objects.create(
        kind=JobKind.PURGE, queue="quick", state=state, max_attempts=5, **fields
    )


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def test_administrators_see_all_jobs_and_others_their_own(
    alice: User, alice_web: Client, bob_web: Client, admin_web: Client
) -> None:
    job = make_job(JobState.FAILED, error="It broke badly.", started_by=alice)

    for reader in (alice_web, admin_web):
        assert "It broke badly." in text_of(reader.get("/jobs/"))
        assert "It broke badly." in text_of(reader.get(f"/jobs/{job.uid}"))
    assert "It broke badly." not in text_of(bob_web.get("/jobs/"))
    assert bob_web.get(f"/jobs/{job.uid}").status_code == 404
    assert "It broke badly." not in text_of(bob_web.get("/"))


def test_jobs_can_be_narrowed_to_a_state(admin_web: Client) -> None:
    make_job(JobState.FAILED, error="It broke badly.")
    make_job(JobState.DONE, result={"records": 12, "failed": 0})

    assert "It broke badly." not in text_of(admin_web.get("/jobs/?state=done"))
    assert "12 records" in text_of(admin_web.get("/jobs/?state=done"))
    assert "It broke badly." in text_of(admin_web.get("/jobs/?state=failed"))
    assert admin_web.get("/jobs/?state=nonsense").status_code == 400


def test_one_of_a_kind_is_said_in_the_singular(
    alice: User, admin_web: Client, write: Write, run_jobs: Callable[[], int]
) -> None:
    result = {"records": 1, "model_calls": 1, "deliveries": 1, "retired_by_rules": 1}
    make_job(JobState.DONE, result=result)
    write(alice, "Tea, never coffee.")
    run_jobs()

    page = text_of(admin_web.get("/jobs/"))
    for said in ("1 record", "1 model call", "1 delivery", "1 retired by rules"):
        assert re.search(rf">(?:[^<]*, )?{said}[,<]", page), said
    assert "1 chunk embedded" in page


def test_a_running_job_shows_its_progress(admin_web: Client) -> None:
    job = make_job(
        JobState.RUNNING,
        progress_done=30,
        progress_total=120,
        lease_until=timezone.now() + timedelta(minutes=1),
    )

    for path in ("/jobs/", f"/jobs/{job.uid}"):
        assert '<progress max="120" value="30"' in text_of(admin_web.get(path))


def test_administrators_try_a_dead_job_again(admin_web: Client) -> None:
    job = make_job(JobState.DEAD, error="Killed five times.", attempts=5)

    page = text_of(admin_web.post(f"/jobs/{job.uid}/retry", follow=True))

    job.refresh_from_db()
    assert "Queued again." in page
    assert (job.state, job.attempts, job.error) == (JobState.QUEUED, 0, "")


def test_so_does_who_started_it_and_nobody_else(
    alice: User, alice_web: Client, bob_web: Client
) -> None:
    job = make_job(JobState.DEAD, started_by=alice)

    assert bob_web.post(f"/jobs/{job.uid}/retry").status_code == 404
    assert "Try again" in text_of(alice_web.get(f"/jobs/{job.uid}"))
    assert alice_web.post(f"/jobs/{job.uid}/retry").status_code == 302


def test_a_done_job_cannot_be_repeated(admin_web: Client) -> None:
    done = make_job(JobState.DONE)

    assert "Try again" not in text_of(admin_web.get(f"/jobs/{done.uid}"))
    assert admin_web.post(f"/jobs/{done.uid}/retry").status_code == 409


def test_the_start_page_says_what_needs_attention(
    admin: User, admin_web: Client, write: Write
) -> None:
    write(admin, "x")
    job = make_job(JobState.DEAD)

    page = text_of(admin_web.get("/"))
    assert "No worker is running for quick and embed jobs." in page
    assert f"/jobs/{job.uid}" in page
    assert "1 record is being indexed" in page

    now = timezone.now()
    for queue in ("quick", "embed"):
        WorkerBeat.objects.create(
            queue=queue, host="nas", pid=1, started_at=now, seen_at=now
        )
    Job.objects.all().delete()
    Memory.objects.update(index_state="indexed")
    assert "Needs attention" not in text_of(admin_web.get("/"))


def test_status_counts_only_what_one_may_read(
    alice: User, admin: User, alice_web: Client, admin_web: Client, write: Write
) -> None:
    for n in range(3):
        write(alice, f"private {n}")
    write(admin, "shared", scope="agent_notes", kind="decision")

    def total(answer: Any) -> int:
        return int(answer.context["figures"].total)

    assert total(alice_web.get("/status/")) == 4
    assert total(admin_web.get("/status/")) == 1
    assert alice_web.get("/status/").context["figures"].by_scope == [
        ("personal", 3),
        ("agent_notes", 1),
    ]


def test_status_charts_what_was_written_and_recalled(
    alice: User, bob: User, alice_web: Client, bob_web: Client, write: Write
) -> None:
    often, once, never = (write(alice, f"number {n}") for n in range(3))
    theirs = write(bob, "Bob's own")
    Memory.objects.filter(pk=never.pk).update(
        created_at=timezone.now() - timedelta(days=3)
    )
    for memory, times in ((often, 3), (once, 1), (theirs, 9)):
        for _ in range(times):
            RecallLog.objects.create(
                search=uuid4(), memory=memory, rank=1, score=0.5, run_kind="chat"
            )

    answer = alice_web.get("/status/")

    values = [bar.value for bar in answer.context["growth"].bars]
    assert (values[-1], values[-4], sum(values)) == (2, 1, 3)
    recalled = answer.context["recalled"]
    assert [(memory.pk, times) for memory, times in recalled] == [
        (often.pk, 3),
        (once.pk, 1),
    ]
    assert answer.context["figures"].never_recalled == 1
    assert "own" not in text_of(answer).split("Recalled most")[1]


def test_status_shows_the_database_to_administrators_only(
    alice_web: Client, admin_web: Client
) -> None:
    assert "Database" in text_of(admin_web.get("/status/"))
    assert "Database" not in text_of(alice_web.get("/status/"))


def test_status_says_how_long_searches_took(alice_web: Client) -> None:
    alice_web.get("/search?q=anything")

    times = alice_web.get("/status/").context["searches"]

    assert times.searches >= 1
    assert 0 < times.half_ms <= times.most_ms
    assert "for 95 %" in text_of(alice_web.get("/status/"))


def test_status_takes_a_fixed_number_of_queries(
    admin: User, admin_web: Client, write: Write, django_assert_max_num_queries: Any
) -> None:
    for n in range(10):
        write(admin, f"number {n}")

    with django_assert_max_num_queries(22):
        admin_web.get("/status/")


def test_bars_start_at_the_axis_and_fill_the_box() -> None:
    chart = bar_chart([("a", 0), ("b", 5), ("c", 10)])

    assert [bar.height for bar in chart.bars] == [0, HEIGHT / 2, HEIGHT]
    assert all(bar.y + bar.height == HEIGHT for bar in chart.bars)
    assert chart.bars[-1].x + chart.bars[-1].width < WIDTH
    assert (chart.total, chart.highest) == (15, 10)


def test_a_chart_of_nothing_has_no_bars() -> None:
    assert bar_chart([]).bars == ()
    assert [bar.height for bar in bar_chart([("a", 0)]).bars] == [0]


def test_a_job_that_has_not_ended_can_be_cancelled(
    alice: User, alice_web: Client, bob_web: Client
) -> None:
    job = make_job(JobState.QUEUED, started_by=alice)
    assert "Cancel</button>" in text_of(alice_web.get(f"/jobs/{job.uid}"))
    assert bob_web.post(f"/jobs/{job.uid}/cancel").status_code == 404
    page = text_of(alice_web.post(f"/jobs/{job.uid}/cancel", follow=True))
    assert "stays done" in page
    assert "Cancel</button>" not in page
    assert "Try again</button>" in page
    assert alice_web.post(f"/jobs/{job.uid}/cancel").status_code == 409


def test_counts_of_a_job_are_named_in_words(admin_web: Client) -> None:
    job = make_job(JobState.DONE, result={"model_calls": 3})
    assert "<dt>Model calls</dt><dd>3</dd>" in text_of(
        admin_web.get(f"/jobs/{job.uid}")
    )
