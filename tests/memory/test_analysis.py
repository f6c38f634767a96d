"""The analyser: what a query must find, whatever the script or the spelling."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.analysis import (
    COMPOUND_WEIGHT,
    Analyser,
    QueryTerm,
    fts_text,
    fts_token,
    get_analyser,
)

quick = settings(max_examples=50, deadline=None)
ENGLISH = Analyser("english")


def shown(term: QueryTerm, tokens: set[str]) -> bool:
    if any(form in tokens for form, weight in term.forms if weight >= COMPOUND_WEIGHT):
        return True
    return bool(term.parts) and tokens.issuperset(term.parts)


def found(query: str, text: str, analyser: Analyser = ENGLISH) -> float:
    """Return the share of the query's terms that the text shows."""
    tokens = set(analyser.tokens(text))
    terms = analyser.query_terms(query)
    return sum(shown(term, tokens) for term in terms) / len(terms)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("10.0.4.17", "The gateway is 10.0.4.17."),
        ("10.0.4.17", "ssh root@10.0.4.17:22"),
        ("fe80::1", "address fe80::1/64"),
        ("user_id", "column `user_id`, never null"),
        ("user id", "column user_id"),
        ("user_id", "the id of the user"),
        ("v2.31.0", "released v2.31.0 (today)"),
        ("2.31.0", "released v2.31.0"),
        ("v2.31.0", "version 2.31.0"),
        ("/etc/nginx/nginx.conf", "edit /etc/nginx/nginx.conf, then reload"),
        ("nginx.conf", "edit /etc/nginx/nginx.conf"),
        ("C:\\Users\\ada", "in C:\\Users\\ada\\notes"),
        ("ERR_CONN_RESET", "fails with ERR_CONN_RESET!"),
        ("conn reset", "fails with ERR_CONN_RESET"),
        ("getUserName", "call getUserName()"),
        ("user name", "call getUserName()"),
        ("HTTPServer", "the http server"),
        ("ada.byron@example.org", "mail <ada.byron@example.org>"),
        ("example.org", "mail ada.byron@example.org"),
        (
            "550e8400-e29b-41d4-a716-446655440000",
            "550E8400-E29B-41D4-A716-446655440000",
        ),
        ("https://example.org/a?b=1", "see https://example.org/a?b=1"),
        ("C++", "written in C++."),
        ("GB/s", "3 GB s"),
        ("2026-12-15", "on 2026-12-15:"),
        ("multi-agent", "a multi agent system"),
        ("multi agent", "a multi-agent system"),
        ("ubuntu 20.04", "Ubuntu 20.04 LTS"),
        ("Caroline", "Caroline\u2019s adoption"),
        ("deploys", "we deployed it"),
        ("café", "the cafe"),
        ("cafe", "the café"),
        ("ﬁle", "file"),
        ("STRASSE", "straße"),
        ("外币汇率换算", "测试外币汇率换算功能"),
        ("汇率", "外币汇率换算"),
        ("外", "外币汇率换算"),
        ("東京駅", "東京駅への行き方"),
        ("すし", "すしを食べる"),
        ("カメラ", "新しいカメラを買った"),
        ("한국어", "한국어를 배우고 있다"),
        ("สวัสดี", "สวัสดีครับ"),
        ("พริก", "แกงใส่พริกแดง"),
        ("Python3.11", "使用Python3.11编程"),
        ("Hà Nội", "Ha Noi"),
        ("da nang", "Đà Nẵng"),
        ("مدرسة", "المدرسة الجديدة"),
        ("الى", "إلى"),
        ("серверы", "на сервере"),
        ("ёлка", "елка"),
        ("Sicherung", "die Datenbanksicherung läuft"),
        ("Datenbank", "die Datenbanksicherung läuft"),
        ("Abrechnung", "alle Reisekostenabrechnungen prüfen"),
        ("Sicherungen", "die Datenbanksicherung läuft"),
        ("Abrechnung", "an die Abrechnungsstelle"),
        ("Krankenhaus", "im Krankenhaus"),
        ("Lowe", "Löwe"),
        ("नमस्ते", "नमस्ते दुनिया"),
        ("שלום", "שָׁלוֹם"),
        ("🎉", "released 🎉"),
    ],
)
def test_a_query_finds_the_text(query: str, text: str) -> None:
    assert found(query, text) == 1.0


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("10.0.4.17", "the gateway is 10.0.4.18"),
        ("ERR_CONN_RESET", "ERR_CONN_REFUSED"),
        ("v2.31.0", "v2.30.0"),
        ("東京", "京都"),
        ("café", "coffee"),
    ],
)
def test_a_query_does_not_find_another_text(query: str, text: str) -> None:
    assert found(query, text) == 0.0


def test_a_compound_word_speaks_for_its_parts() -> None:
    (term,) = ENGLISH.query_terms("Datenbanksicherung")
    assert {"datenbank", "sicherung"} <= set(term.tokens)


@pytest.mark.parametrize("query", ["", "  ", "?!", "* - : \" ' ( )", "---", "\u2026"])
def test_punctuation_has_no_terms(query: str) -> None:
    assert ENGLISH.query_terms(query) == []


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert [t.text for t in ENGLISH.query_terms("What is the plan?")] == ["plan"]
    texts = [term.text for term in ENGLISH.query_terms("to be or not to be")]
    assert texts == ["to", "be", "or", "not"]
    assert found("the who", "The Who played") == 1.0


def test_terms_are_distinct() -> None:
    assert len(ENGLISH.query_terms("plan Plan PLAN")) == 1


def test_exact_form_weighs_most() -> None:
    (term,) = ENGLISH.query_terms("cafés")
    assert [form for form, _ in term.forms[:3]] == ["cafés", "cafes", "cafe"]


def test_query_pairs_have_no_single_characters() -> None:
    assert [t.text for t in ENGLISH.query_terms("东京站")] == ["东京", "京站"]
    assert [t.text for t in ENGLISH.query_terms("站")] == ["站"]


def test_language_none_does_not_stem() -> None:
    plain = Analyser("none")
    assert found("deploys", "deployed", plain) == 0.0
    assert found("cafe", "café", plain) == 1.0
    assert found("серверы", "сервере", plain) == 0.0
    assert [term.text for term in plain.query_terms("the plan")] == ["the", "plan"]


def test_language_chooses_the_stemmer() -> None:
    assert found("Häuser", "das Haus", Analyser("german")) == 1.0
    with pytest.raises(ValueError, match="klingon"):
        get_analyser("klingon")


@quick
@given(text=st.text())
def test_a_text_finds_itself(text: str) -> None:
    terms = ENGLISH.query_terms(text)
    tokens = set(ENGLISH.tokens(text))
    assert all(shown(term, tokens) for term in terms)


@quick
@given(first=st.text(min_size=1), second=st.text(min_size=1))
def test_engine_words_are_plain_and_distinct(first: str, second: str) -> None:
    for token in (first, second):
        word = fts_token(token)
        assert word.isascii()
        assert word.isalnum()
        assert word == word.lower() or token.isalnum()
    assert (fts_token(first) == fts_token(second)) == (first == second)


def test_engine_words() -> None:
    assert fts_token("plan") == "plan"
    assert fts_text(["plan", "café"]) == "plan zz636166c3a9"
    assert fts_token("zz636166c3a9") != fts_token("café")
    assert len(fts_token("x/" * 5000)) < 100


def test_about_a_megabyte_a_second() -> None:
    text = (
        "The deploy of v2.31.0 to 10.0.4.17 failed; Caroline's notes say why. " * 3000
    )
    ENGLISH.tokens(text)
    before = time.process_time()
    ENGLISH.tokens(text)
    assert time.process_time() - before < len(text) / 300_000


def test_one_endless_word_is_handled() -> None:
    before = time.process_time()
    for unit in ("a", "a-", "a.b/", "汉", "aB1"):
        assert ENGLISH.tokens(unit * 50_000)
    assert time.process_time() - before < 10


def test_threads_do_not_spoil_each_others_stems() -> None:
    words = [f"{stem}{'izational' * (n % 3)}ness" for n in range(40) for stem in "abcd"]
    expected = [Analyser("english").tokens(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            for got in pool.map(
                lambda _: [Analyser("english").tokens(word) for word in words], range(8)
            ):
                assert got == expected
    finally:
        sys.setswitchinterval(interval)
