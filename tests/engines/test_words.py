"""What any engine promises of keyword search."""

import pytest
from django.db import IntegrityError, connection, transaction

from memory.analysis import fts_text, get_analyser
from memory.models import Chunk
from memory.search.engines import get_engine
from memory.search.engines.permitted import Permitted
from tests.engines.rows import make_memory, make_space, tokens_for

pytestmark = pytest.mark.django_db


def found(query, queryset=None, limit=50):
    """Return the texts of the chunks that are found, best first."""
    chunks = Chunk.objects.all() if queryset is None else queryset
    hits = _keyword_chunks(chunks, tokens_for(query), limit)
    assert [score for _, score in hits] == sorted((s for _, s in hits), reverse=True)
    texts = dict(chunks.values_list("pk", "text"))
    return [texts[pk] for pk, _ in hits]


def _keyword_chunks(chunks, tokens, limit):
    engine = get_engine()
    return engine.keyword_chunks(Permitted(chunks), engine.statistics(tokens), limit)


def test_rare_words_count_more_than_frequent_ones():
    for number in range(12):
        make_memory(f"server number {number} of the office")
    make_memory("zirconium in the office")
    assert found("server zirconium")[0] == "zirconium in the office"


def test_more_occurrences_count_more_and_long_texts_less():
    padding = " ".join(f"word{number}" for number in range(60))
    make_memory("nginx once beside other words here")
    make_memory(f"nginx once beside many others {padding}")
    make_memory("nginx nginx nginx nginx beside words")
    once, long, often = (
        "nginx once beside other words here",
        f"nginx once beside many others {padding}",
        "nginx nginx nginx nginx beside words",
    )
    for number in range(20):
        make_memory(f"something else {number}")
    assert found("nginx") == [often, once, long]


@pytest.mark.parametrize(
    "query",
    ["10.0.4.17", "user_id", "ERR_CONN_RESET", "/etc/nginx/nginx.conf", "café", "数据"],
)
def test_any_script_and_identifier_is_found_by_its_tokens(query):
    make_memory(f"before {query} after")
    make_memory("something else")
    assert found(query) == [f"before {query} after"]


def test_words_of_a_query_are_never_syntax():
    make_memory('a "quoted" NEAR(text) AND NOT * - : text')
    for query in ('"', "AND", "NEAR(a b)", "*", "a:b", "-text", "')--", "%s %(x)s"):
        found(query)
    assert found('"quoted" AND NEAR(')


def test_nothing_asked_or_nothing_permitted_finds_nothing():
    make_memory("some text")
    assert _keyword_chunks(Chunk.objects.all(), [], 10) == []
    for nothing in (Chunk.objects.none(), Chunk.objects.filter(space_id__in=[])):
        assert _keyword_chunks(nothing, ["text"], 10) == []


def test_only_the_queryset_is_searched_however_narrow_it_is():
    """Fifty better ones are not permitted: they take no place of the permitted."""
    open_space, closed = make_space("global"), make_space("agent_notes")
    for number in range(50):
        make_memory(f"falcon falcon falcon {number}", space=closed)
    for number in range(3):
        make_memory(f"falcon among many other longer words {number}", space=open_space)
    permitted = Chunk.objects.filter(memory__space=open_space)
    assert len(found("falcon", permitted, limit=2)) == 2
    assert len(found("falcon", permitted, limit=10)) == 3
    assert found("falcon", permitted, limit=2) == found("falcon", permitted, 3)[:2]


def test_indexing_again_replaces_and_deleting_removes():
    memory = make_memory("first words")
    engine, chunk = get_engine(), memory.chunks.get()
    engine.index_chunks([(chunk.pk, ["second"])])
    chunks = Chunk.objects.all()
    assert _keyword_chunks(chunks, ["first"], 5) == []
    assert _keyword_chunks(chunks, ["second"], 5)[0][0] == chunk.pk
    memory.delete()
    assert engine.words_of([chunk.pk]) == {}
    assert engine.statistics(["second"]).count == 0


def test_deleting_a_record_takes_its_words_along():
    memory = make_memory("one text", "another text")
    chunk_ids = [chunk.pk for chunk in memory.chunks.all()]
    memory.delete()
    assert get_engine().words_of(chunk_ids) == {}


def test_a_rollback_leaves_nothing_behind():
    def write_and_fail():
        with transaction.atomic():
            make_memory("ephemeral words")
            raise IntegrityError

    with pytest.raises(IntegrityError):
        write_and_fail()
    assert get_engine().statistics(["ephemeral"]).frequencies == {"ephemeral": 0}


def test_statistics_count_texts_and_tokens():
    make_memory("alpha beta", "alpha alpha gamma")
    make_memory("delta")
    engine = get_engine()
    chunks = engine.statistics(["alpha", "beta", "missing"])
    assert chunks.frequencies == {"alpha": 2, "beta": 1, "missing": 0}
    assert chunks.count == 3
    lengths = [len(words.split()) for words in engine.words_of(_ids()).values()]
    assert chunks.average_length == pytest.approx(sum(lengths) / 3)


def test_tokens_come_back_in_order_as_the_engine_writes_them():
    text = "Naïve users of C++ and 数据库 met user_id"
    memory = make_memory(text)
    written = fts_text(get_analyser("english").tokens(text))
    assert get_engine().words_of(_ids()) == {memory.chunks.get().pk: written}


def test_a_huge_chunk_is_indexed_nevertheless():
    engine, memory = get_engine(), make_memory("small", index=False)
    chunk = memory.chunks.get()
    tokens = ["first", *(f"token{number:06}" for number in range(150_000))]
    engine.index_chunks([(chunk.pk, tokens)])
    hits = _keyword_chunks(Chunk.objects.all(), ["first"], 5)
    assert [pk for pk, _ in hits] == [chunk.pk]
    assert len(engine.words_of([chunk.pk])[chunk.pk].split()) == 150_001


def test_preparing_again_changes_nothing_and_mends_what_is_missing():
    memory, engine = make_memory("some words"), get_engine()
    engine.prepare()
    assert engine.check() == []
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER memory_chunk_words_follow")
        else:
            cursor.execute("DROP TRIGGER memory_chunk_words_removed ON memory_chunks")
    assert any("leaves its words behind" in problem for problem in engine.check())
    pk = memory.chunks.get().pk
    engine.prepare()
    assert engine.check() == []
    memory.delete()
    assert engine.words_of([pk]) == {}


def test_chunks_without_an_entry_are_reported():
    make_memory("not indexed", index=False)
    assert get_engine().check() == ["1 chunks have no keyword entry."]


@pytest.mark.django_db(transaction=True)
def test_maintenance_changes_no_result():
    for number in range(30):
        make_memory(f"falcon number {number}")
    before = found("falcon 7")
    Chunk.objects.filter(text="falcon number 8").delete()
    get_engine().maintain()
    assert found("falcon 7") == [text for text in before if text != "falcon number 8"]
    assert get_engine().check() == []


def _ids():
    return list(Chunk.objects.values_list("pk", flat=True))
