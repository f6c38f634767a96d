"""The matrix that SQLite searches in: growth, precision, threads, and its follower."""

import threading

import numpy as np
import pytest
from django.db import connection

from memory.models import Chunk
from memory.search.engines import follower, matrix
from memory.search.engines.follower import Follower
from memory.search.engines.matrix import Matrix, quantised, top
from tests.engines.rows import embed, make_memory, make_model, unit


@pytest.fixture
def small_segments(monkeypatch):
    monkeypatch.setattr(matrix, "SEGMENT_ROWS", 64)
    monkeypatch.setattr(matrix, "BLOCK_ROWS", 32)


def unit_rows(count, dimension=48, seed=1):
    rows = np.random.default_rng(seed).standard_normal((count, dimension))
    rows = rows.astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("sizes", [[1], [64], [10, 100, 1, 200], [500]])
def test_scores_are_cosines_however_the_rows_came(small_segments, sizes):
    rows, held, at = unit_rows(sum(sizes)), Matrix(48), 0
    for size in sizes:
        numbers = np.arange(at, at + size)
        held.append(numbers, numbers * 10, rows[at : at + size])
        at += size
    query = unit_rows(1, seed=2)[0]
    assert np.abs(held.scores(query) - rows @ query).max() < 0.005
    assert held.ids.tolist() == list(range(at))
    assert held.chunk_ids.tolist() == list(range(0, at * 10, 10))


def test_a_byte_a_number_keeps_cosines_to_a_thousandth():
    rows, query = unit_rows(2000, 384), unit_rows(1, 384, seed=3)[0]
    bytes_, steps = quantised(rows)
    close = (bytes_ @ query) * steps
    assert np.abs(close - rows @ query).max() < 0.002
    assert quantised(np.zeros((1, 4), np.float32))[0].tolist() == [[0, 0, 0, 0]]


def test_a_row_is_recognised_by_all_it_has(small_segments):
    rows, held = unit_rows(100), Matrix(48)
    held.append(np.arange(100), np.arange(100), rows)
    assert held.has(70, 70, rows[70])
    assert not held.has(70, 71, rows[70])
    assert not held.has(70, 70, rows[71])
    assert not held.has(100, 70, rows[70])


def test_the_highest_scores_come_best_first():
    scores = np.array([0.1, 0.9, 0.5, 0.7], dtype=np.float32)
    assert top(scores, 2).tolist() == [1, 3]
    assert top(scores, 9).tolist() == [1, 3, 2, 0]


def test_readers_see_whole_rows_while_another_thread_appends(small_segments):
    rows, held, failures = unit_rows(2000), Matrix(48), []
    done = threading.Event()

    def read():
        while not done.is_set():
            scores = held.scores(rows[0])
            count = len(scores)
            if count and abs(scores[0] - 1) > 0.01:
                failures.append(scores[0])
            if held.ids[:count].tolist() != list(range(count)):
                failures.append(count)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for at in range(0, 2000, 20):
        numbers = np.arange(at, at + 20)
        held.append(numbers, numbers, rows[at : at + 20])
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite only")
@pytest.mark.django_db(transaction=True)
def test_rows_of_deleted_chunks_are_dropped_in_time(monkeypatch):
    model, held = make_model(), Follower()
    for number in range(10):
        chunk = make_memory(f"chunk {number}", index=False).chunks.get()
        embed(chunk, model, [[1, number]])
    assert held.matrices(model.pk)[0].count == 10
    Chunk.objects.filter(text__lt="chunk 5").delete()
    assert held.matrices(model.pk)[0].count == 10
    monkeypatch.setattr(follower, "LOOK_FOR_DEAD_EVERY_S", 0.0)
    held.matrices(model.pk)
    assert held._tidying.acquire(timeout=5)
    held._tidying.release()
    (tidy,) = held.matrices(model.pk)
    assert tidy.count == 5
    assert np.allclose(tidy.scores(unit([1, 9])).max(), 1, atol=0.01)
