"""What tests of the index look at."""

from memory import runner
from memory.models import Chunk, Embedding, Job, JobState
from memory.search.engines import get_engine

LONG = "\n\n".join(f"Paragraph {n} on herons. " * 12 for n in range(20))


def jobs() -> list[Job]:
    return list(Job.objects.filter(kind="reindex").order_by("pk"))


def words() -> dict[int, str]:
    return get_engine().words_of(list(Chunk.objects.values_list("pk", flat=True)))


def vectors() -> set[int]:
    return set(Embedding.objects.values_list("pk", flat=True))


def one_turn() -> Job:
    """Do one turn of the waiting job."""
    job = Job.objects.get(kind="reindex", state=JobState.QUEUED)
    runner.run(job.pk)
    job.refresh_from_db()
    return job
