"""Bytes of files whose page or owner is gone do not stay for ever."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.models import User
from memory.models import Job, JobKind, JobState
from memory.queue import enqueue
from tests.people import api_for, make_user
from tests.wiki.calls import Wiki
from tests.wiki.files import attach, upload
from wiki.models import Attachment


def _purge(run_jobs: Callable[[], int]) -> dict[str, int]:
    job = enqueue(JobKind.PURGE_FILES)
    run_jobs()
    result: dict[str, int] = Job.objects.get(pk=job.pk).result
    return result


def _two_days_later() -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(days=2))


def test_files_of_a_deleted_person_go_and_others_stay(
    wiki: Wiki, run_jobs: Callable[[], int]
) -> None:
    wiki.save("ops/plan", "# Plan\n")
    attach(wiki.api, "ops/plan", b"kept", "kept.txt")
    carol = make_user("carol")
    answer = upload(api_for(carol), "/files", b"mine", "mine.txt")
    assert answer.status_code == 201, answer.json()
    kept, gone = Attachment.objects.order_by("id").values_list("key", flat=True)
    carol.delete()

    assert _purge(run_jobs) == {"files": 0}, "too young: it may be an upload under way"
    with _two_days_later():
        assert _purge(run_jobs)["files"] >= 1
    assert default_storage.exists(kept)
    assert not default_storage.exists(gone)


def test_a_zip_stays_as_long_as_its_import_waits(
    admin: User, run_jobs: Callable[[], int]
) -> None:
    key = default_storage.save("cd/zip", ContentFile(b"zip"))
    hour = timezone.now() + timedelta(days=9)
    waiting = enqueue(JobKind.IMPORT_PAGES, key=key, run_at=hour)
    with _two_days_later():
        _purge(run_jobs)
        assert default_storage.exists(key)
        Job.objects.filter(pk=waiting.pk).update(state=JobState.FAILED)
        _purge(run_jobs)
        assert not default_storage.exists(key)


@pytest.mark.django_db
def test_bytes_of_an_upload_that_never_ended_go(run_jobs: Callable[[], int]) -> None:
    key = default_storage.save("ab/abandoned", ContentFile(b"half"))
    with _two_days_later():
        assert _purge(run_jobs)["files"] >= 1
    assert not default_storage.exists(key)
