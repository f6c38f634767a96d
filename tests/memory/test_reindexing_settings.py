"""The index follows the settings: made anew by itself at the next start."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command

from goclaw.lib import config
from memory import reindexing
from memory.models import Chunk, Embedding, IndexRecipe, JobState, Memory
from tests.memory.indexes import LONG, jobs, one_turn, vectors, words
from tests.memory.searching import by_word
from tests.people import Api

pytestmark = pytest.mark.django_db

RunJobs = Callable[[], int]


@pytest.fixture
def configure(settings: Any) -> Iterator[Callable[..., None]]:
    """Return a function that changes how records are cut and analysed."""
    original = settings.GOCLAW_CHUNKS, settings.GOCLAW_SEARCH

    def change(*, language: str = "english", **chunks: int) -> None:
        settings.GOCLAW_CHUNKS = original[0] | chunks
        settings.GOCLAW_SEARCH = original[1] | {"language": language}
        config.reset()

    yield change
    change()


@pytest.fixture
def start(run_jobs: RunJobs) -> Callable[[], None]:
    """Return a function that does what a start does for the index."""

    def start_once() -> None:
        reindexing.follow_settings()
        run_jobs()

    return start_once


def test_a_fresh_installation_has_nothing_to_do(
    alice_api: Api, start: Callable[[], None]
) -> None:
    start()
    alice_api.write("a heron")
    start()
    assert jobs() == []


def test_a_language_takes_effect_at_the_next_start(
    alice_api: Api, start: Callable[[], None], run_jobs: RunJobs, configure: Any
) -> None:
    start()
    made = alice_api.write("die Kinder sahen Reiher")
    run_jobs()
    kept = vectors()
    assert by_word(alice_api, "Kind") == []
    configure(language="german")
    start()
    assert by_word(alice_api, "Kind") == [made["id"]]
    assert vectors() == kept
    start()
    assert len(jobs()) == 1


def test_a_chunk_size_takes_effect_at_the_next_start(
    alice_api: Api, start: Callable[[], None], run_jobs: RunJobs, configure: Any
) -> None:
    start()
    alice_api.write(LONG)
    alice_api.write("a short one")
    run_jobs()
    few = Chunk.objects.count()
    configure(size=400, overlap=0)
    start()
    assert Chunk.objects.count() > 2 * few
    assert max(len(text) for text in Chunk.objects.values_list("text", flat=True)) < 800
    assert jobs()[0].result == {"records": 2, "entered_anew": 1}
    assert not Memory.objects.exclude(index_state="indexed").exists()


def test_a_window_size_takes_effect_at_the_next_start(
    alice_api: Api, start: Callable[[], None], run_jobs: RunJobs, configure: Any
) -> None:
    start()
    alice_api.write(LONG)
    run_jobs()
    few = Embedding.objects.count()
    configure(window=200)
    start()
    assert Embedding.objects.count() > 1.5 * few


def test_a_new_version_of_the_analyser_takes_effect(
    alice_api: Api, start: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    start()
    alice_api.write("a heron")
    monkeypatch.setattr("memory.entries.VERSION", 99)
    start()
    assert [job.state for job in jobs()] == [JobState.DONE]
    assert IndexRecipe.objects.get().recipe["version"] == 99


def test_settings_that_change_again_half_way_begin_again(
    alice_api: Api,
    run_jobs: RunJobs,
    configure: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reindexing.follow_settings()
    contents = [f"die Wanderungen der Reiher {n}" for n in range(30)]
    items = [{"scope": "personal", "content": text} for text in contents]
    alice_api.post("/memory/records/bulk", {"records": items})
    run_jobs()
    before = words()
    monkeypatch.setattr(reindexing, "TURN_S", -1.0)
    configure(language="german")
    reindexing.follow_settings()
    one_turn()
    assert words() != before
    assert not IndexRecipe.objects.exists()

    configure(language="english")
    reindexing.follow_settings()
    assert len(jobs()) == 1
    run_jobs()
    assert words() == before
    assert IndexRecipe.objects.get().recipe["language"] == "english"


def test_a_start_in_between_does_not_begin_again(
    alice_api: Api, run_jobs: RunJobs, configure: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reindexing.follow_settings()
    items = [{"scope": "personal", "content": f"heron {n}"} for n in range(30)]
    alice_api.post("/memory/records/bulk", {"records": items})
    run_jobs()
    kept = vectors()
    monkeypatch.setattr(reindexing, "TURN_S", -1.0)
    configure(language="german")
    reindexing.follow_settings()
    one_turn()
    reindexing.follow_settings()
    run_jobs()
    assert [job.result for job in jobs()] == [{"records": 30, "entered_anew": 0}]
    assert vectors() == kept


def test_the_start_looks(alice_api: Api, tmp_path: Any, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_DIRS = []
    alice_api.write("a heron")
    call_command("prepare")
    assert [job.state for job in jobs()] == [JobState.QUEUED]
