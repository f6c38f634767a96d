"""Two people change one page: nothing is lost, and what touches is asked about."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki.merging import merge

BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", "\n"]), max_size=12)
TEXTS = st.builds(
    lambda lines, end: "".join(lines) + end, LINES, st.sampled_from(["", "e"])
)


def test_changes_far_apart_are_both_kept() -> None:
    merged = merge(BASE, BASE.replace("one", "ONE"), BASE.replace("six", "SIX"))

    assert merged.clean
    assert merged.text == BASE.replace("one", "ONE").replace("six", "SIX")


def test_changes_of_one_line_are_a_conflict_with_both_texts() -> None:
    merged = merge(BASE, BASE.replace("four", "4"), BASE.replace("four", "IV"))

    assert not merged.clean
    assert [(h.ours, h.theirs) for h in merged.hunks if h.kind == "conflict"] == [
        ("4\n", "IV\n")
    ]
    assert "4\n" in merged.text
    assert "IV\n" in merged.text


def test_changes_of_neighbouring_lines_touch() -> None:
    assert not merge(BASE, BASE.replace("four", "4"), BASE.replace("five", "5")).clean


def test_an_unchanged_line_between_is_enough() -> None:
    assert merge(BASE, BASE.replace("four", "4"), BASE.replace("six", "6")).clean


def test_two_insertions_at_one_place_are_a_conflict() -> None:
    assert not merge("a\nb\n", "a\nmine\nb\n", "a\nhis\nb\n").clean


def test_the_same_change_is_taken_once() -> None:
    same = BASE.replace("four\n", "4\nand a half\n")

    assert merge(BASE, same, same).text == same
    assert merge(BASE, same, same).clean


def test_a_deletion_does_not_swallow_an_edit_inside_it() -> None:
    assert not merge(BASE, "one\nseven\n", BASE.replace("four", "4")).clean


def test_ends_without_a_newline_stay_as_they_were() -> None:
    merged = merge("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nd\n")

    assert merged.clean
    assert merged.text == "A\nb\nc\nd\n"


def test_only_a_newline_ends_a_line() -> None:
    text = "a\u2028b\x0bc\x85d\n"

    assert merge(text, text.replace("a", "A"), text.replace("d", "D")).clean is False
    assert merge(text, text, text.replace("d", "D")).text == text.replace("d", "D")


@given(TEXTS, TEXTS)
def test_who_changed_nothing_takes_the_other_text(base: str, other: str) -> None:
    assert merge(base, base, other).text == other
    assert merge(base, other, base).text == other
    assert merge(base, other, other).text == other


@given(TEXTS, TEXTS, TEXTS)
def test_every_side_is_whole_in_the_hunks(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)

    assert "".join(hunk.base for hunk in merged.hunks) == base
    assert "".join(hunk.ours for hunk in merged.hunks) == ours
    assert "".join(hunk.theirs for hunk in merged.hunks) == theirs


@given(TEXTS, TEXTS, TEXTS)
def test_both_orders_agree(base: str, ours: str, theirs: str) -> None:
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)

    assert one.clean == other.clean
    if one.clean:
        assert one.text == other.text


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("a\n" * 40_000, "a\nb\n" * 20_000, "b\na\n" * 20_000),
        ("x " * 250_000, "y " * 250_000, "z " * 250_000),
        (
            "".join(f"{n % 150}\n" for n in range(40_000)),
            "".join(f"{n % 149}\n" for n in range(40_000)),
            "".join(f"{n % 151}\n" for n in range(40_000)),
        ),
    ],
    ids=["repeated", "one line", "near repeats"],
)
def test_hostile_texts_take_bounded_time(base: str, ours: str, theirs: str) -> None:
    began = time.process_time()
    merge(base, ours, theirs)

    assert time.process_time() - began < 3
