"""Rules replace what plainly changed, and nothing else."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.lifecycle.rules import RULES, Rule, Statement, conflict
from tests.lifecycle.pairs import BY_SOMEBODY_ELSE, KEPT, REPLACED

PAIRS = [
    (name, older, newer) for name, pairs in REPLACED.items() for older, newer in pairs
]
STATEMENTS = sorted(
    set(chain.from_iterable(KEPT)) | {text for _, *pair in PAIRS for text in pair}
)


@pytest.mark.parametrize(("rule", "older", "newer"), PAIRS)
def test_replaced(rule: str, older: str, newer: str) -> None:
    assert conflict(Statement(older, 1), Statement(newer, 1)) == rule


@pytest.mark.parametrize(("older", "newer"), KEPT)
def test_kept(older: str, newer: str) -> None:
    assert conflict(Statement(older, 1), Statement(newer, 1)) is None
    assert conflict(Statement(newer, 1), Statement(older, 1)) is None


@pytest.mark.parametrize(("older", "newer"), BY_SOMEBODY_ELSE)
def test_kept_if_somebody_else_says_it(older: str, newer: str) -> None:
    assert conflict(Statement(older, 1), Statement(newer, 2)) is None
    assert conflict(Statement(older), Statement(newer)) is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_has_a_true_example(rule: Rule) -> None:
    assert conflict(Statement(rule.older, 1), Statement(rule.newer, 1)) == rule.name


def test_the_table_is_long() -> None:
    assert len(PAIRS) + len(KEPT) + len(BY_SOMEBODY_ELSE) >= 350
    assert len(set(KEPT)) == len(KEPT)


@given(st.sampled_from(STATEMENTS), st.text(max_size=30), st.text(max_size=30))
def test_any_text_can_be_compared(base: str, before: str, after: str) -> None:
    text = f"{before}{base}{after}"
    assert conflict(Statement(text, 1), Statement(text, 1)) is None


@pytest.mark.parametrize("word", ["not", "maybe", "also", "if", "was", "until", "no"])
def test_a_word_of_doubt_anywhere_keeps_both(word: str) -> None:
    for _, older, newer in PAIRS[::3]:
        parts = newer.split(" ")
        for place in range(len(parts) + 1):
            doubtful = " ".join([*parts[:place], word, *parts[place:]])
            assert conflict(Statement(older, 1), Statement(doubtful, 1)) is None
