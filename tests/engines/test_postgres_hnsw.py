"""The HNSW index: built when it pays, asked for wide querysets, never loses a chunk."""

import numpy as np
import pytest
from django.db import connection

from memory.models import Chunk
from memory.search.engines import get_engine, postgres, postgres_vectors
from memory.search.engines.permitted import Permitted
from tests.engines.rows import embed, make_memory, make_model, unit

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL only"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def engine(monkeypatch):
    """Return the engine for which a hundred vectors are many."""
    monkeypatch.setattr(postgres_vectors, "WORTH_AN_INDEX", 100)
    monkeypatch.setattr(postgres_vectors, "KNOWN_FOR_S", 0.0)
    monkeypatch.setattr(postgres, "WALKED", 1)
    return get_engine()


@pytest.fixture
def model():
    random, model = np.random.default_rng(3), make_model()
    for number in range(200):
        memory = make_memory(f"chunk {number}", index=False)
        embed(memory.chunks.get(), model, random.standard_normal((2, 8)))
    return model


def test_an_index_is_built_once_and_finds_what_a_scan_finds(engine, model):
    assert any("no finished index" in problem for problem in engine.check())
    before = _ranked(engine, model)
    engine.maintain()
    assert not any("no finished index" in problem for problem in engine.check())
    engine.maintain()

    with connection.execute_wrapper(seen := _Statements()):
        after = _ranked(engine, model)
    assert any("halfvec" in sql for sql in seen.statements)
    assert after == before


@pytest.mark.parametrize(
    ("every", "scans"),
    [(40, True), (5, False), (2, False)],
    ids=["five chunks", "a fifth", "half"],
)
def test_what_is_permitted_is_found_however_little_it_is(engine, model, every, scans):
    ids = list(Chunk.objects.order_by("pk").values_list("pk", flat=True)[::every])
    permitted = Chunk.objects.filter(pk__in=ids)
    before = _ranked(engine, model, permitted, 5)
    engine.maintain()
    with connection.execute_wrapper(seen := _Statements()):
        assert _ranked(engine, model, permitted, 5) == before
    scan = "WHERE model_id = %s AND chunk_id IN ("
    assert any(scan in sql for sql in seen.statements) is scans


def test_connections_ask_for_wide_and_continued_scans_of_the_index():
    with connection.cursor() as cursor:
        cursor.execute("SHOW hnsw.ef_search")
        assert cursor.fetchone() == ("240",)
        cursor.execute("SHOW hnsw.iterative_scan")
        assert cursor.fetchone() == ("relaxed_order",)


def test_the_index_of_a_dropped_model_goes_with_it(engine, model):
    engine.maintain()
    name = f"memory_embeddings_hnsw_{model.pk}"
    model.delete()
    engine.maintain()
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [name])
        assert cursor.fetchone() == (None,)


def _ranked(engine, model, chunks=None, limit=20):
    permitted = Permitted(Chunk.objects.all() if chunks is None else chunks)
    hits = engine.similarities(unit([1, 2, 3]), model.pk).nearest(permitted, limit)
    return [pk for pk, _ in hits]


class _Statements:
    def __init__(self):
        self.statements = []

    def __call__(self, execute, sql, params, many, context):
        self.statements.append(sql)
        return execute(sql, params, many, context)


def test_the_worker_has_an_index_built_as_soon_as_it_pays(
    engine, admin_api, run_jobs, monkeypatch
):
    monkeypatch.setattr(postgres_vectors, "WORTH_AN_INDEX", 3)
    built = []
    for number in range(3):
        text = f"note number {number} about the harbour"
        record = {"scope": "agent_notes", "content": text}
        made = admin_api("POST", "/memory/records", record)
        assert made.status_code == 201
        run_jobs()
        built.append(_indexes())
    assert built == [0, 0, 1]


def _indexes():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_class WHERE relname LIKE 'memory_embeddings_hnsw%'"
        )
        return cursor.fetchone()[0]
