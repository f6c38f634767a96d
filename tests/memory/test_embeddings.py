"""Providers: what they promise, what they refuse, and what they leave unloaded."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from memory.embeddings import EmbeddingError, get_provider, provider_for
from memory.embeddings.base import checked
from memory.embeddings.hashing import HashingProvider
from memory.embeddings.local import LocalProvider
from memory.embeddings.queries import MicroBatcher, RecentVectors
from memory.fields import EmbeddingField


def test_hashing_is_deterministic_normalised_and_near_for_shared_words():
    provider = HashingProvider("any")
    rows = provider.embed_documents(
        ["nginx serves the wiki", "the wiki is served by nginx", "cats sleep", "", "?!"]
    )
    assert rows.shape == (5, provider.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.array_equal(rows[0], provider.embed_query("nginx serves the wiki"))
    assert rows[0] @ rows[1] > 0.5 > rows[0] @ rows[2]


@pytest.mark.parametrize(
    ("rows", "count", "dimension", "permanent"),
    [
        (np.ones((1, 3), np.float32), 2, 3, False),
        (np.ones((2, 4), np.float32), 2, 3, False),
        (np.ones(3, np.float32), 3, 3, False),
        (np.zeros((1, 3), np.float32), 1, 3, True),
        (np.full((1, 3), np.nan, np.float32), 1, 3, True),
        (np.full((1, 3), np.inf, np.float32), 1, 3, True),
    ],
)
def test_unusable_vectors_are_refused(rows, count, dimension, permanent):
    with pytest.raises(EmbeddingError) as refusal:
        checked(rows, count=count, dimension=dimension)
    assert refusal.value.permanent is permanent


def test_the_configured_provider_is_built_once_and_an_earlier_one_beside_it():
    assert get_provider() is get_provider()
    earlier = provider_for("hashing", "earlier", "")
    assert earlier is not get_provider()
    assert earlier.name == "earlier"
    with pytest.raises(ValueError, match="unknown"):
        provider_for("magic", "x", "")


def test_light_paths_import_no_model_library():
    script = (
        "import django, sys; django.setup();"
        "from memory.embeddings import get_provider, provider_for; get_provider();"
        "assert provider_for('local', 'all-MiniLM-L6-v2', '').dimension == 384;"
        "provider_for('openai', 'x', 'http://localhost:1/v1');"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'openai'};"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_local_model_that_is_not_there_says_so():
    provider = LocalProvider("/nowhere/model", batch_size=8)
    with pytest.raises(EmbeddingError, match="cannot be loaded") as refusal:
        provider.embed_documents(["text"])
    assert not refusal.value.permanent


def test_the_field_keeps_float32_exactly_and_refuses_what_is_no_vector():
    field = EmbeddingField()
    vector = np.array([0.1, -1e-7, 3.5], dtype=np.float32)
    stored = field.get_db_prep_value(vector, connection)
    assert np.array_equal(field.from_db_value(stored, None, connection), vector)
    for wrong in ([], [[1.0]], [float("nan")], [float("inf")]):
        with pytest.raises(ValidationError):
            field.get_db_prep_value(wrong, connection)


def test_questions_that_come_while_the_model_is_busy_are_computed_together():
    batches = []
    begun, go_on = threading.Event(), threading.Event()

    def compute(texts):
        batches.append(list(texts))
        begun.set()
        assert go_on.wait(5)
        return np.array([[float(text)] for text in texts], dtype=np.float32)

    batcher = MicroBatcher(compute, limit=3)
    answers = {}
    threads = [
        threading.Thread(target=lambda n=n: answers.update({n: batcher.embed(str(n))}))
        for n in range(6)
    ]
    threads[0].start()
    assert begun.wait(5)
    for thread in threads[1:]:
        thread.start()
    deadline = time.monotonic() + 5
    while len(batcher._waiting) < 5 and time.monotonic() < deadline:
        time.sleep(0.001)
    go_on.set()
    for thread in threads:
        thread.join(5)
    assert [len(batch) for batch in batches] == [1, 3, 2]
    assert {n: float(vector[0]) for n, vector in answers.items()} == {
        n: float(n) for n in range(6)
    }


def test_a_failing_batch_fails_its_questions_and_frees_the_model():
    calls = []

    def compute(texts):
        calls.append(texts)
        if len(calls) == 1:
            raise EmbeddingError("broken", permanent=False)
        return np.ones((len(texts), 2), dtype=np.float32)

    batcher = MicroBatcher(compute, limit=4)
    with pytest.raises(EmbeddingError):
        batcher.embed("one")
    assert batcher.embed("two").tolist() == [1.0, 1.0]


def test_recent_questions_are_remembered_and_the_longest_unasked_forgotten():
    asked = []

    def compute(text):
        asked.append(text)
        return np.array([len(asked)], dtype=np.float32)

    recent = RecentVectors(compute, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        recent.embed(text)
    assert asked == ["a", "b", "c", "b"]
    with pytest.raises(ValueError, match="read-only"):
        recent.embed("a")[0] = 5
