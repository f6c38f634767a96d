"""Ranking: what any order of candidates must obey, and what each setting does."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.analysis import Analyser
from memory.search.features import Candidate
from memory.search.ranking import (
    Ranked,
    agreement,
    decay_factor,
    evidence,
    rank,
)
from tests.memory.rules import RULES

FUSIONS = ["zscore", "weighted", "rrf"]
ANALYSER = Analyser("english")
quick = settings(max_examples=40, deadline=None)
SHARES = st.floats(0, 1).map(lambda value: round(value, 3))


@st.composite
def candidate_lists(draw: st.DrawFn) -> list[Candidate]:
    names = draw(
        st.lists(st.sampled_from(["keyword", "similarity", "likeness"]), unique=True)
    )
    count = draw(st.integers(0, 6))
    return [
        Candidate(
            id=number,
            record=draw(st.integers(0, 3)),
            text_hash=draw(st.sampled_from("abcdefgh")),
            arms={name: draw(SHARES) for name in names},
            cosine=draw(st.none() | SHARES),
            coverage=draw(SHARES),
            idf_share=draw(SHARES),
            identifiers=draw(st.sampled_from([0.0, 0.0, 0.5, 1.0])),
            decay=draw(st.sampled_from([0.4, 0.7, 1.0])),
        )
        for number in range(count)
    ]


def candidate(number: int, **changes: object) -> Candidate:
    plain = Candidate(
        id=number,
        record=number,
        text_hash=str(number),
        arms={"keyword": 1.0, "similarity": 0.5},
        cosine=0.5,
        coverage=1.0,
        idf_share=1.0,
        identifiers=0.0,
        decay=1.0,
    )
    return plain._replace(**changes)


def ids(ranked: Sequence[Ranked]) -> list[int]:
    return [one.id for one in ranked]


# --- what always holds ---------------------------------------------------------------
@pytest.mark.parametrize("fusion", FUSIONS)
@quick
@given(candidates=candidate_lists(), data=st.data())
def test_the_order_given_does_not_matter(
    fusion: str, candidates: list[Candidate], data: st.DataObject
) -> None:
    rules = replace(RULES, fusion=fusion)
    mixed = data.draw(st.permutations(candidates))
    first, second = rank(candidates, rules, 10), rank(mixed, rules, 10)
    assert [one.score for one in first] == pytest.approx([o.score for o in second])
    assert {one.id for one in first} == {one.id for one in second}


@pytest.mark.parametrize("fusion", FUSIONS)
@quick
@given(candidates=candidate_lists(), fewer=st.integers(0, 8), more=st.integers(0, 8))
def test_the_first_results_are_those_of_a_shorter_search(
    fusion: str, candidates: list[Candidate], fewer: int, more: int
) -> None:
    rules = replace(RULES, fusion=fusion, max_per_record=2)
    longer = rank(candidates, rules, fewer + more)
    assert longer[:fewer] == rank(candidates, rules, fewer)


@pytest.mark.parametrize("fusion", FUSIONS)
@quick
@given(candidates=candidate_lists())
def test_scores_are_in_order_within_bounds_and_below_the_evidence(
    fusion: str, candidates: list[Candidate]
) -> None:
    by_id = {one.id: one for one in candidates}
    ranked = rank(candidates, replace(RULES, fusion=fusion), 10)
    assert [one.score for one in ranked] == sorted(
        (one.score for one in ranked), reverse=True
    )
    for one in ranked:
        assert 0 <= one.score <= one.relevance <= evidence(by_id[one.id]) <= 1


@pytest.mark.parametrize("fusion", FUSIONS)
@quick
@given(candidates=candidate_lists(), least=SHARES)
def test_min_score_only_leaves_out(
    fusion: str, candidates: list[Candidate], least: float
) -> None:
    rules = replace(RULES, fusion=fusion)
    everything = rank(candidates, rules, 10)
    strict = rank(candidates, replace(rules, min_score=least), 10)
    distinct = len({one.text_hash for one in candidates}) == len(candidates)
    if distinct:
        kept = [one.id for one in everything if one.relevance >= least]
        assert ids(strict) == kept


@pytest.mark.parametrize("fusion", FUSIONS)
def test_better_in_every_arm_is_better(fusion: str) -> None:
    arms = [{"keyword": k, "similarity": k / 10} for k in (1.0, 5.0, 3.0)]
    found = [candidate(n, arms=values) for n, values in enumerate(arms)]
    assert ids(rank(found, replace(RULES, fusion=fusion), 3)) == [1, 2, 0]


@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize("arm", ["keyword", "similarity"])
def test_one_ranker_counts_alone(fusion: str, arm: str) -> None:
    found = [candidate(n, arms={arm: n / 10}) for n in range(1, 4)]
    ranked = rank(found, replace(RULES, fusion=fusion), 3)
    assert ids(ranked) == [3, 2, 1]
    assert ranked[0].relevance == agreement(found[-1])


@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize(
    ("share", "cosine", "relevance"),
    [
        (0.6, None, 0.6),  # without vectors the words say it alone
        (0.6, 0.4, 0.55),
        (0.6, 0.0, 0.33),  # some word of any question is somewhere
        (0.0, 0.6, 0.51),
        (1.0, 0.1, 0.605),  # an identifier is no sentence
        (0.5, 0.5, 0.5),  # never above the evidence
    ],
)
def test_a_candidate_alone_is_as_relevant_as_words_and_cosine_agree(
    fusion: str, share: float, cosine: float | None, relevance: float
) -> None:
    alone = [candidate(1, idf_share=share, cosine=cosine)]
    (ranked,) = rank(alone, replace(RULES, fusion=fusion), 3)
    assert ranked.relevance == pytest.approx(relevance)


def test_nothing_to_rank() -> None:
    assert rank([], RULES, 5) == []
    assert rank([candidate(1, arms={})], replace(RULES, min_score=0.1), 5) == []


# --- rules ---------------------------------------------------------------------------
def test_zero_is_a_min_score() -> None:
    found = [candidate(n, arms={"keyword": n}) for n in range(3)]
    assert len(rank(found, RULES, 5)) == 3


def test_min_score_is_compared_before_decay() -> None:
    old = candidate(1, decay=0.4, idf_share=0.5)
    (ranked,) = rank([old], replace(RULES, min_score=0.45), 5)
    assert (ranked.relevance, ranked.score) == (0.5, pytest.approx(0.2))


@pytest.mark.parametrize(
    ("min_similarity", "cosine", "coverage", "shown"),
    [
        (0.62, 0.7, 0.0, True),
        (0.62, 0.6, 0.5, True),
        (0.62, 0.6, 0.4, False),
        (0.62, None, 0.4, False),
        (None, 0.1, 0.0, True),
        (None, None, 0.4, False),
        (0.0, 0.1, 0.0, True),
        (-1, None, 0.0, True),
    ],
)
def test_evidence_is_a_cosine_or_half_of_the_terms(
    min_similarity: float | None, cosine: float | None, coverage: float, shown: bool
) -> None:
    one = candidate(1, cosine=cosine, coverage=coverage)
    rules = replace(RULES, min_similarity=min_similarity)
    assert bool(rank([one], rules, 5)) is shown


def test_identical_texts_are_shown_once_and_a_record_so_often() -> None:
    found = [candidate(n, arms={"keyword": 9 - n}, record=0) for n in range(4)]
    found.append(candidate(7, arms={"keyword": 8.5}, text_hash="0"))
    assert ids(rank(found, RULES, 9)) == [0, 1, 2, 3]
    assert ids(rank(found, replace(RULES, max_per_record=2), 9)) == [0, 1]


def test_decay_reorders_near_ties_only() -> None:
    fresh = candidate(1, arms={"keyword": 9.0})
    old = candidate(2, arms={"keyword": 10.0}, decay=0.4)
    weak = candidate(3, arms={"keyword": 1.0})
    ranked = rank([fresh, old, weak], replace(RULES, fusion="weighted"), 3)
    assert ids(ranked) == [1, 2, 3]


# --- decay ---------------------------------------------------------------------------
HALF_LIVES = {"note": 30.0, "decision": 90.0}


@pytest.mark.parametrize(
    ("kind", "age_days", "factor"),
    [
        ("note", 0, 1.0),
        ("note", -5, 1.0),
        ("note", 30, 0.5),
        ("note", 39.66, 0.4),
        ("note", 1e12, 0.4),
        ("decision", 90, 0.5),
        ("document", 9999, 1.0),
    ],
)
def test_decay(kind: str, age_days: float, factor: float) -> None:
    found = decay_factor(kind, age_days, HALF_LIVES, critical=False)
    assert found == pytest.approx(factor, abs=1e-3)
    assert decay_factor(kind, age_days, HALF_LIVES, critical=True) == 1.0


def test_an_old_identifier_comes_before_a_fresh_near_miss():
    old = candidate(1, identifiers=1.0, decay=0.4, cosine=0.2, arms={"keyword": 0.5})
    fresh = candidate(2, identifiers=0.0, idf_share=0.2, arms={"keyword": 0.9})
    parts = candidate(3, identifiers=0.5, arms={"keyword": 0.9})
    ranked = rank([fresh, parts, old], replace(RULES, min_score=0.35), limit=3)
    assert ids(ranked)[:2] == [1, 3]
    assert ranked[0].relevance >= 0.5
