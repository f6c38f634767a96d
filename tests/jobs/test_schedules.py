"""Schedules say what the code says, and every kind of job can be run."""

import ast
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule
from django_q.scheduler import scheduler

from memory.models import Job, JobKind
from memory.queue import POLICIES
from memory.schedules import PERIODIC, STARTER, ensure_schedules, schedules_are_late


@pytest.mark.parametrize("kind", JobKind)
def test_every_kind_of_job_has_a_function(kind: JobKind) -> None:
    assert callable(import_string(POLICIES[kind].handler))


@pytest.mark.django_db
def test_ensuring_twice_changes_nothing() -> None:
    ensure_schedules()
    before = list(Schedule.objects.order_by("pk").values())
    ensure_schedules()
    assert list(Schedule.objects.order_by("pk").values()) == before
    assert {row["name"] for row in before} == {p.name for p in PERIODIC}
    assert all(row["next_run"] > timezone.now() for row in before)


@pytest.mark.django_db
def test_foreign_and_changed_schedules_do_not_survive() -> None:
    ensure_schedules()
    Schedule.objects.create(name="mine", func="os.system", args="('true',)")
    Schedule.objects.filter(name=PERIODIC[0].name).update(func="os.abort", args="(")
    ensure_schedules()
    assert Schedule.objects.count() == len(PERIODIC)
    assert set(Schedule.objects.values_list("func", flat=True)) == {STARTER}


@pytest.mark.django_db(transaction=True)
def test_a_malformed_schedule_stops_the_others_only_until_it_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("django_q.conf.Conf.CLUSTER_NAME", "quick")
    ensure_schedules()
    Schedule.objects.create(name="bad", func="x", args="(", cluster="quick")
    Schedule.objects.update(next_run=timezone.now() - timedelta(minutes=5))
    scheduler()
    assert schedules_are_late()
    assert not OrmQ.objects.exists()

    ensure_schedules()
    scheduler()
    assert not schedules_are_late()
    assert OrmQ.objects.count() == len(PERIODIC)


@pytest.mark.django_db
def test_what_a_schedule_calls_queues_one_job() -> None:
    ensure_schedules()
    for row in Schedule.objects.all():
        for _ in range(2):
            import_string(row.func)(*ast.literal_eval(row.args))
    assert set(Job.objects.values_list("kind", flat=True)) == {
        p.kind.value for p in PERIODIC
    }
    assert Job.objects.count() == len(PERIODIC)
