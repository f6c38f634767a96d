"""Jobs in the admin: to look at, repeat and cancel; schedules not at all."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django_q.models import Failure, OrmQ, Schedule, Success

from accounts.models import User
from memory.models import Job, JobKind, JobState
from memory.queue import enqueue
from tests.people import make_user

JOBS = "admin:memory_job_changelist"


@pytest.mark.parametrize("model", [Failure, OrmQ, Schedule, Success])
def test_what_could_run_any_code_has_no_page(model: type) -> None:
    assert not admin.site.is_registered(model)


@pytest.mark.parametrize(
    ("action", "before", "after"),
    [
        ("retry_jobs", JobState.DEAD, JobState.QUEUED),
        ("cancel_jobs", JobState.QUEUED, JobState.CANCELLED),
    ],
)
def test_an_administrator_repeats_and_cancels_jobs(
    client: Client, admin: User, action: str, before: JobState, after: JobState
) -> None:
    job = enqueue(JobKind.PRUNE)
    done = enqueue(JobKind.PRUNE)
    Job.objects.filter(pk=job.pk).update(state=before)
    Job.objects.filter(pk=done.pk).update(state=JobState.DONE)
    client.force_login(admin)
    chosen = {"action": action, "_selected_action": [job.pk, done.pk]}
    page = client.post(reverse(JOBS), chosen, follow=True)
    job.refresh_from_db()
    done.refresh_from_db()
    assert (job.state, done.state) == (after, JobState.DONE)
    assert "The job is done." in page.content.decode()


def test_nobody_edits_adds_or_deletes_jobs(client: Client, admin: User) -> None:
    job = enqueue(JobKind.PRUNE)
    client.force_login(admin)
    assert client.get(reverse("admin:memory_job_add")).status_code == 403
    for page in ("change", "delete"):
        address = reverse(f"admin:memory_job_{page}", args=[job.pk])
        assert client.post(address, {"state": "done"}).status_code == 403


@pytest.mark.django_db
def test_staff_that_does_not_administer_sees_no_jobs(client: Client) -> None:
    client.force_login(make_user("staff", is_staff=True))
    assert client.get(reverse(JOBS)).status_code == 403
