"""Diffs say what changed, whole and in order, in bounded time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goclaw.lib.diffs import Line, Row, compare, diff

TEXTS = st.lists(st.sampled_from(["a", "b", "c d", "c e", ""]), max_size=30).map(
    "\n".join
)


FREE = st.text("ab \t\n\u200b", max_size=60)


def side(lines: list[Line], op: str) -> str:
    """Return one text as its lines in the diff say it, without folds."""
    texts = [
        "".join(part.text for part in line.parts)
        for line in lines
        if line.op in {op, "same"}
    ]
    return "\n".join(texts)


@given(TEXTS | FREE, TEXTS | FREE)
def test_both_sides_can_be_read_off(old: str, new: str) -> None:
    lines = diff(old, new, context=None)
    if lines:
        assert side(lines, "removed") == old.removesuffix("\n")
        assert side(lines, "added") == new.removesuffix("\n")
    else:
        assert old == new


@given(TEXTS, TEXTS)
def test_folds_hide_only_what_did_not_change(old: str, new: str) -> None:
    whole = [line for line in diff(old, new, context=None) if line.op != "same"]
    folded = diff(old, new)

    assert [line for line in folded if line.op not in {"same", "fold"}] == whole
    shown = sum(line.op in {"same", "removed"} for line in folded)
    hidden = sum(line.count for line in folded)
    if folded:
        assert shown + hidden == len(old.removesuffix("\n").split("\n") if old else [])


@given(TEXTS, TEXTS)
def test_line_numbers_are_those_of_the_texts(old: str, new: str) -> None:
    before, after = old.split("\n"), new.split("\n")
    for line in diff(old, new):
        text = "".join(part.text for part in line.parts)
        assert not line.old or before[line.old - 1] == text
        assert not line.new or after[line.new - 1] == text


def test_equal_texts_have_no_diff() -> None:
    assert diff("same\ntext", "same\ntext") == []


def changed(line: Line) -> list[str]:
    return [part.text for part in line.parts if part.changed]


def marks(line: Line) -> list[str]:
    return [part.mark for part in line.parts if part.mark]


def test_changed_words_are_set_off() -> None:
    removed, added = diff("port 5432 is open", "port 5433 is open")

    assert changed(removed) == ["5432"]
    assert changed(added) == ["5433"]


def test_words_are_set_off_in_every_edited_line_of_a_long_text() -> None:
    old = [f"{n} " + "of many words that say little, " * 6 + "end" for n in range(2000)]
    new = [f"{line} now" if n % 10 == 0 else line for n, line in enumerate(old)]

    lines = diff("\n".join(old), "\n".join(new))

    added = [changed(line) for line in lines if line.op == "added"]
    assert added == [[" now"]] * 200


def test_scripts_without_spaces_are_compared_by_character() -> None:
    _, added = diff("会議は火曜日です", "会議は木曜日です")

    assert changed(added) == ["木"]


def test_lines_that_have_little_in_common_are_not_compared_by_word() -> None:
    removed, added = diff("the cat sat on a mat", "1 2 3 4 5 6 7 8 9 a b c d")

    assert changed(removed) == []
    assert changed(added) == []


def test_a_line_put_in_front_does_not_shift_the_partners() -> None:
    rows = compare(
        "alpha beta gamma one\nalpha beta delta two\n",
        "quite new words\nalpha beta gamma ONE\nalpha beta delta TWO\n",
    )

    assert [row.op for row in rows] == ["added", "changed", "changed"]


def test_side_by_side_puts_partners_into_one_row() -> None:
    assert [
        (row.op, row.left and row.left.old, row.right and row.right.new)
        for row in compare("a\nb c d\nz\n", "a\nb C d\nx\ny\nz\n")
    ] == [
        ("same", 1, 1),
        ("changed", 2, 2),
        ("added", None, 3),
        ("added", None, 4),
        ("same", 3, 5),
    ]


def test_what_cannot_be_seen_is_named() -> None:
    _, added = diff("rm the files", "rm\u200b the \u202efiles\U000e0041")

    assert marks(added) == [
        "U+200B zero width space",
        "U+202E right-to-left override",
        "U+E0041 tag latin capital letter a",
    ]


def test_blanks_at_the_end_of_a_line_are_named() -> None:
    _, added, _ = diff("a b\nc\n", "a b  \nc\n")

    assert marks(added) == ["2 blanks at the end"]


def test_a_missing_line_end_is_named_where_only_one_side_has_it() -> None:
    removed, added = diff("a", "a\n")
    assert marks(removed) == ["no line end"]
    assert marks(added) == []

    assert [marks(line) for line in diff("a b", "a c")] == [[], []]


def test_far_lines_are_folded() -> None:
    old = "\n".join(map(str, range(100)))

    lines = diff(old, old.replace("\n50\n", "\nfifty\n"))

    assert [line.op for line in lines] == [
        "fold", *["same"] * 3, "removed", "added", *["same"] * 3, "fold"
    ]  # fmt: skip
    assert [line.count for line in lines if line.op == "fold"] == [47, 46]


def test_only_a_newline_ends_a_line() -> None:
    assert [line.op for line in diff("a\u2028b\x0bc", "a\u2028b\x0bd")] == [
        "removed",
        "added",
    ]


def test_a_long_diff_is_cut_and_says_by_how_much() -> None:
    rows = compare("a\n" * 50, "b\n" * 50, most=10)

    assert len(rows) == 11
    assert rows[-1] == Row("cut", count=40)


def test_a_few_changes_in_a_long_text_are_found_line_by_line() -> None:
    old = [f"line {n} of the text" for n in range(20_000)]
    new = [line + " edited" if n % 500 == 250 else line for n, line in enumerate(old)]

    lines = diff("\n".join(old), "\n".join(new))

    assert sum(line.op == "added" for line in lines) == 40


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
    assert seconds(old, new) < 2


ORDINARY = {
    "2,000 lines rewritten": (
        "\n".join(f"old line {n} says what was so far" for n in range(2_000)),
        "\n".join(f"new line {n} says what is true now" for n in range(2_000)),
    ),
    "300 lines without anything in common": (
        "\n".join(f"a{n} b{n} c{n}" for n in range(300)),
        "\n".join(f"x{n} y{n} z{n}" for n in range(300)),
    ),
    "one line of 50 KB": ("word and " * 5_500, "word und " * 5_500),
    "5,000 equal lines and one more": ("same\n" * 5_000, "same\n" * 5_001),
    "5,000 equal lines, others between": ("same\n" * 5_000, "same\nx\n" * 2_500),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_large_changes_are_quick(name: str) -> None:
    assert min(seconds(*ORDINARY[name]) for _ in range(3)) < 0.4


def seconds(old: str, new: str) -> float:
    began = time.process_time()
    compare(old, new)
    return time.process_time() - began
