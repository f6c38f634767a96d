"""The model in a process of its own: the same vectors, and what happens without it."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memory.embeddings import EmbeddingError
from memory.embeddings.local import PACKAGED_MODEL, LocalProvider
from memory.embeddings.shared import SharedProvider
from tests.jobs.running import environment, wait_for

pytestmark = pytest.mark.model

TEXTS = ["Where is the database?", "", "数据库 café 🙂", "a very long text " * 200]

Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts the process, and waits until it answers."""
    started: list[subprocess.Popen[bytes]] = []

    def start_one() -> "subprocess.Popen[bytes]":
        address = tmp_path / "embedder.sock"
        address.unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "goclaw.embedder", str(address)],
            env=environment(tmp_path, GOCLAW_MEMORY_SEARCH_PROVIDER="local"),
        )
        started.append(process)
        wait_for(address.exists)
        return process

    yield start_one
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def shared(tmp_path: Path) -> SharedProvider:
    address = str(tmp_path / "embedder.sock")
    return SharedProvider(PACKAGED_MODEL, address, timeout_s=60)


def test_its_vectors_are_those_of_the_model_itself(
    start: Start, shared: SharedProvider
) -> None:
    start()
    own = LocalProvider(PACKAGED_MODEL, batch_size=2)
    assert shared.dimension == own.dimension
    np.testing.assert_allclose(
        shared.embed_documents(TEXTS), own.embed_documents(TEXTS), atol=1e-5
    )
    for text in TEXTS:
        np.testing.assert_allclose(
            shared.embed_query_words(text), own.embed_query_words(text), atol=1e-4
        )
    words = shared.embed_document_words(TEXTS)
    assert [len(sheet) for sheet in words] == [
        len(sheet) for sheet in own.embed_document_words(TEXTS)
    ]
    assert shared.embed_documents([]).shape == (0, own.dimension)


def test_many_ask_at_once_and_each_gets_its_own(
    start: Start, shared: SharedProvider
) -> None:
    start()
    texts = [f"question number {number}" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        vectors = list(threads.map(shared.embed_query, texts))
    for text, vector in zip(texts, vectors, strict=True):
        assert vector @ shared.embed_query(text) > 0.9999


def test_what_the_model_refuses_is_said_and_the_next_question_answered(
    start: Start, shared: SharedProvider, tmp_path: Path
) -> None:
    start()
    unknown = SharedProvider("no-such-model", shared._address, timeout_s=60)
    with pytest.raises(EmbeddingError, match="no-such-model"):
        unknown.embed_query("anything")
    assert len(shared.embed_query("anything")) == shared.dimension


def test_without_the_process_a_question_fails_for_now_and_works_when_it_is_back(
    start: Start, shared: SharedProvider
) -> None:
    with pytest.raises(EmbeddingError, match="does not answer") as missing:
        shared.embed_query("anything")
    assert not missing.value.permanent
    first = start()
    before = shared.embed_query("anything")
    first.kill()
    first.wait()
    with pytest.raises(EmbeddingError, match="does not answer"):
        shared.embed_query("anything")
    start()
    assert before @ shared.embed_query("anything") > 0.9999


def test_a_process_that_hangs_is_waited_for_once(
    start: Start, shared: SharedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start()
    shared.embed_query("anything")
    monkeypatch.setattr(shared, "_timeout_s", 3.0)
    process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(EmbeddingError, match="TimeoutError"):
        shared.embed_query("anything")
    assert time.monotonic() - began < 2 * 3.0
    monkeypatch.undo()
    process.send_signal(signal.SIGCONT)
    assert len(shared.embed_query("anything")) == shared.dimension
