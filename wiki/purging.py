"""Delete stored bytes that nothing names: their page or their owner was deleted."""

from collections.abc import Iterator
from datetime import timedelta

from django.core.files.storage import default_storage
from django.utils import timezone

from memory.models import Job, JobKind, JobState
from memory.runner import JobResult, JobRun
from wiki import storing
from wiki.models import Attachment

UNNAMED_FOR = timedelta(days=1)
"""How long bytes lie there unnamed: an upload stores them first, an import waits."""


def purge_files(run: JobRun) -> JobResult:
    """Delete what is in the storage and belongs to nothing.

    Bytes are never named anew, so what is unnamed for a day stays so.
    """
    counts = {"files": 0}
    for key in unnamed():
        storing.discard(key)
        counts["files"] += 1
        run.heartbeat(counts["files"])
        if run.should_stop():
            return JobResult(counts, finished=False)
    return JobResult(counts)


def unnamed() -> Iterator[str]:
    """Yield the keys of bytes older than a day that no file and no import names."""
    folders, _ = default_storage.listdir("")
    importing = set(
        Job.objects.filter(kind=JobKind.IMPORT_PAGES)
        .in_state(JobState.QUEUED, JobState.RUNNING)
        .values_list("key", flat=True)
    )
    for folder in sorted(folders):
        yield from _unnamed_in(folder, importing)


def _unnamed_in(folder: str, importing: set[str]) -> Iterator[str]:
    oldest = timezone.now() - UNNAMED_FOR
    keys = {f"{folder}/{name}" for name in default_storage.listdir(folder)[1]}
    files = Attachment.objects.filter(key__startswith=f"{folder}/")
    named = importing.union(files.values_list("key", flat=True))
    for key in sorted(keys - named):
        if default_storage.get_modified_time(key) < oldest:
            yield key
