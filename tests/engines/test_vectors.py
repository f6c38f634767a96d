"""What any engine promises of search by vector."""

import threading

import numpy as np
import pytest
from django.db import connection, transaction

from memory.models import Chunk, Embedding
from memory.search.engines import get_engine
from memory.search.engines.permitted import Permitted
from tests.engines.rows import embed, make_memory, make_model, make_space, unit

pytestmark = pytest.mark.django_db


def nearest(vector, model, queryset=None, limit=10):
    """Return {text: cosine} of the nearest chunks, best first."""
    chunks = Chunk.objects.all() if queryset is None else queryset
    similarities = get_engine().similarities(unit(vector), model.pk)
    hits = similarities.nearest(Permitted(chunks), limit)
    assert [cos for _, cos in hits] == sorted((c for _, c in hits), reverse=True)
    texts = dict(chunks.values_list("pk", "text"))
    return {texts[pk]: cosine for pk, cosine in hits}


def make_chunk(text, model, *vectors, space=None):
    memory = make_memory(text, space=space, index=False)
    chunk = memory.chunks.get()
    embed(chunk, model, vectors)
    return chunk


def test_a_chunk_is_as_near_as_its_best_window():
    model = make_model()
    make_chunk("two windows", model, [0, 1], [1, 0.1])
    make_chunk("one window", model, [1, 1])
    found = nearest([1, 0], model)
    assert list(found) == ["two windows", "one window"]
    assert found["two windows"] == pytest.approx(1 / np.sqrt(1.01), abs=1e-3)
    assert found["one window"] == pytest.approx(np.sqrt(0.5), abs=1e-3)


def test_a_question_meets_only_vectors_of_its_model():
    first, second = make_model("first"), make_model("second")
    make_chunk("of the first", first, [1, 0])
    make_chunk("of the second", second, [0, 1])
    assert list(nearest([1, 0], first)) == ["of the first"]
    assert list(nearest([1, 0], second)) == ["of the second"]
    assert nearest([1, 0], make_model("empty")) == {}


def test_only_the_queryset_is_searched_however_narrow_it_is():
    model = make_model()
    open_space, closed = make_space("global"), make_space("agent_notes")
    for number in range(60):
        make_chunk(f"closed {number}", model, [1, number / 1000], space=closed)
    for number in range(4):
        make_chunk(f"open {number}", model, [0.1, 1, number], space=open_space)
    permitted = Chunk.objects.filter(memory__space=open_space)
    assert list(nearest([1, 0], model, permitted, 2)) == ["open 0", "open 1"]
    assert len(nearest([1, 0], model, permitted, 10)) == 4
    assert nearest([1, 0], model, Chunk.objects.none()) == {}
    assert nearest([1, 0], model, Chunk.objects.filter(space_id__in=[])) == {}


def test_ranking_is_exact_but_for_the_steps_of_a_byte():
    model, random = make_model(), np.random.default_rng(7)
    rows = random.standard_normal((300, 8))
    memory = make_memory(*map(str, range(len(rows))), index=False)
    for chunk, row in zip(memory.chunks.order_by("ordinal"), rows, strict=True):
        embed(chunk, model, [row])
    query = random.standard_normal(8)
    cosines = {str(n): float(unit(row) @ unit(query)) for n, row in enumerate(rows)}
    cut = sorted(cosines.values(), reverse=True)[39]
    found = nearest(query, model, limit=40)
    assert len(found) == 40
    assert found == pytest.approx({name: cosines[name] for name in found}, abs=6e-3)
    assert min(cosines[name] for name in found) > cut - 12e-3


def test_inserts_and_deletes_show_at_once():
    model = make_model()
    first = make_chunk("first", model, [1, 0])
    assert list(nearest([1, 0], model)) == ["first"]
    make_chunk("second", model, [1, 0.1])
    assert list(nearest([1, 0], model)) == ["first", "second"]
    first.delete()
    assert list(nearest([1, 0], model)) == ["second"]
    Embedding.objects.all().delete()
    assert nearest([1, 0], model) == {}


def test_cosines_of_chosen_chunks():
    model = make_model()
    with_two = make_chunk("two windows", model, [0, 1], [1, 0])
    make_chunk("not asked for", model, [1, 0])
    without = make_memory("no vectors", index=False).chunks.get()
    similarities = get_engine().similarities(unit([1, 0]), model.pk)
    assert similarities.of([with_two.pk, without.pk]) == {
        with_two.pk: pytest.approx(1.0)
    }
    assert similarities.of([]) == {}


@pytest.mark.django_db(transaction=True)
def test_another_threads_commits_are_seen_by_the_next_search():
    model = make_model()
    make_chunk("first", model, [1, 0])
    assert list(nearest([1, 0], model)) == ["first"]

    def elsewhere():
        make_chunk("second", model, [1, 0.1])
        Chunk.objects.get(text="first").delete()
        connection.close()

    _in_a_thread(elsewhere)
    assert list(nearest([1, 0], model)) == ["second"]


@pytest.mark.django_db(transaction=True)
def test_a_transaction_sees_its_own_vectors_and_a_rollback_takes_them_back():
    model = make_model()
    make_chunk("kept", model, [1, 0])
    assert list(nearest([1, 0], model)) == ["kept"]
    with transaction.atomic():
        make_chunk("undone", model, [1, 0.1])
        assert list(nearest([1, 0], model)) == ["kept", "undone"]
        transaction.set_rollback(True)
    assert list(nearest([1, 0], model)) == ["kept"]
    make_chunk("later", model, [1, 0.2])
    assert list(nearest([1, 0], model)) == ["kept", "later"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [2, 3])
def test_an_emptied_and_refilled_table_is_read_anew(number):
    """Ids begin again after a flush: rows under known ids are other rows."""
    model = make_model()
    for n in range(number):
        make_chunk(f"round {number}, chunk {n}", model, [1, n, number])
    assert len(nearest([1, 0], model)) == number


def _in_a_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
