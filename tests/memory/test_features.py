"""What is said of each candidate: shares of words, neighbours, meaning."""

from dataclasses import dataclass

import pytest

from memory.analysis import Analyser, fts_text
from memory.search.features import Candidate, Passage, describe
from memory.search.ranking import rank
from tests.memory.rules import RULES

ANALYSER = Analyser("english")


@dataclass(frozen=True)
class Numbers:
    count: int
    frequencies: dict[str, int]


def described(query: str, *texts: str, group: str | None = None) -> list[Candidate]:
    words = [ANALYSER.tokens(text) for text in texts]
    passages = [
        Passage(
            id=number,
            record=number,
            group=group or number,
            position=number,
            words=fts_text(tokens),
            cosine=None,
            likeness=None,
            text_hash=str(number),
            decay=1.0,
        )
        for number, tokens in enumerate(words)
    ]
    flat = [set(tokens) for tokens in words]
    frequencies = {
        token: sum(token in tokens for tokens in flat) for token in set().union(*flat)
    }
    numbers = Numbers(len(texts), frequencies)
    return describe(passages, ANALYSER.query_terms(query), numbers)


def best(query: str, *texts: str) -> int:
    return rank(described(query, *texts), RULES, 1)[0].id


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("10.0.4.17", ["host 10.0.4.17", "host 10.0.4.18", "10 0 4 17 are numbers"]),
        ("café", ["the café", "the cafe", "the coffee"]),
        ("deploys", ["it deploys", "it deployed", "nothing"]),
        ("rare common", ["common rare", "common", "common"]),
        ("Sicherung", ["die Datenbanksicherung", "die Datenbank", "der Haken"]),
        ("外币汇率", ["测试外币汇率换算", "汇率", "天气"]),
    ],
)
def test_the_first_text_is_the_best(query: str, texts: list[str]) -> None:
    assert best(query, *texts) == 0


def test_neighbours_lend_their_words() -> None:
    sequence = ["Where is the key?", "Under the mat.", "Good.", "Bye.", "So long.", "x"]
    found = described("where is the key mat", *sequence, group="talk")
    window = [one.arms["window_keyword"] for one in found]
    assert window[1] > window[4]
    assert len({one.arms["group_keyword"] for one in found}) == 1
    alone = described("where is the key mat", *sequence)
    assert alone[2].arms["window_keyword"] == 0


def test_shares_of_terms() -> None:
    first, second = described("alpha beta", "alpha and beta", "alpha alone")
    assert (first.coverage, first.idf_share) == (1.0, 1.0)
    assert second.coverage == 0.5
    assert second.idf_share < 0.5


def test_without_terms_or_passages() -> None:
    assert described("...", "some text")[0].arms == {}
    assert describe([], ANALYSER.query_terms("x"), Numbers(0, {})) == []


def test_meaning_is_compared_where_there_is_a_vector() -> None:
    plain = Passage(
        id=1,
        record=1,
        group=1,
        position=0,
        words="alpha",
        cosine=0.4,
        likeness=None,
        text_hash="a",
        decay=1.0,
    )
    other = plain._replace(id=2, group=2, cosine=None, likeness=0.3, text_hash="b")
    first, second = describe([plain, other], [], Numbers(2, {}))
    assert set(first.arms) == {"similarity", "likeness", "window_likeness"}
    assert first.arms["similarity"] == second.arms["similarity"] == 0.4
