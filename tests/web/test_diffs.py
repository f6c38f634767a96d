"""Diffs say what changed, whole and in order, in bounded time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.web.diffs import Line, diff

TEXTS = st.lists(st.sampled_from(["a", "b", "c d", "c e", ""]), max_size=30).map(
    "\n".join
)


def side(lines: list[Line], op: str) -> list[str]:
    return [
        "".join(part.text for part in line.parts)
        for line in lines
        if line.op in {op, "same"}
    ]


@given(TEXTS, TEXTS)
def test_both_sides_can_be_read_off(old: str, new: str) -> None:
    lines = diff(old, new)
    folded = any(line.op == "fold" for line in lines)
    if lines and not folded:
        assert side(lines, "removed") == old.splitlines()
        assert side(lines, "added") == new.splitlines()


@given(TEXTS, TEXTS)
def test_folds_hide_only_what_did_not_change(old: str, new: str) -> None:
    lines = diff(old, new)
    hidden = sum(line.count for line in lines)
    if lines:
        assert len(side(lines, "removed")) + hidden == len(old.splitlines())
        assert len(side(lines, "added")) + hidden == len(new.splitlines())


def test_equal_texts_have_no_diff() -> None:
    assert diff("same\ntext", "same\ntext") == []


def test_changed_words_are_set_off() -> None:
    removed, added = diff("port 5432 is open", "port 5433 is open")

    assert [part.text for part in removed.parts if part.changed] == ["5432 "]
    assert [part.text for part in added.parts if part.changed] == ["5433 "]


def test_scripts_without_spaces_are_compared_by_character() -> None:
    _, added = diff("会議は火曜日です", "会議は木曜日です")

    assert [part.text for part in added.parts if part.changed] == ["木"]


def test_far_lines_are_folded() -> None:
    old = "\n".join(map(str, range(100)))

    lines = diff(old, old.replace("\n50\n", "\nfifty\n"))

    assert [line.op for line in lines] == [
        "fold", *["same"] * 3, "removed", "added", *["same"] * 3, "fold"
    ]  # fmt: skip
    assert [line.count for line in lines if line.op == "fold"] == [47, 46]


HOSTILE = [
    ("x y " * 16_000, "y x " * 16_000),
    ("a\n" * 32_000, "a\nb\n" * 16_000),
    ("\n".join(["w " * 200] * 160), "\n".join(["v w " * 100] * 160)),
    ("\n".join("ab" * 90), "\n".join("ba" * 90)),
    (
        "\n".join(f"{n % 150}" for n in range(20_000)),
        "\n".join(f"{n % 149}" for n in range(20_000)),
    ),
    ("(" * 60_000, ")(" * 30_000),
]


@pytest.mark.parametrize(("old", "new"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_take_bounded_time(old: str, new: str) -> None:
    began = time.process_time()
    diff(old, new)

    assert time.process_time() - began < 5
