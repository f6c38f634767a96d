"""Chunks are substrings that join to the source; windows fit an embedding model."""

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goclaw.lib.config import ChunkConfig
from memory.chunking import Span, estimate_tokens, split, windows

DEFAULT = ChunkConfig(size=1600, overlap=320, window=500)
SMALL = ChunkConfig(size=120, overlap=30, window=60)

quick = settings(max_examples=50, deadline=None)
MARKUP = [
    "# Head\n",
    "## Sub\n",
    "```\n",
    "~~~\n",
    "\n",
    "\n\n",
    "word ",
    ". ",
    "\r\n",
    "\t",
]
TABLE_ROWS = ["| a | b |\n", "|--|--|\n"]
SCRIPTS = ["汉字", "かな。", "🎉", "é", "\u2028", "x" * 50, " " * 9]
MARKDOWN_BITS = st.sampled_from(MARKUP + TABLE_ROWS + SCRIPTS)
TEXTS = st.one_of(st.lists(MARKDOWN_BITS, max_size=120).map("".join), st.text())


def chunk_texts(text: str, config: ChunkConfig = DEFAULT) -> list[str]:
    return [text[span.start : span.end] for span in split(text, config)]


@quick
@given(text=TEXTS, overlap=st.integers(0, 60))
def test_chunks_without_overlaps_join_to_the_source(text: str, overlap: int) -> None:
    joined, end = "", 0
    for span in split(text, ChunkConfig(size=120, overlap=overlap, window=60)):
        assert span.start <= end < span.end
        assert end - span.start <= max(overlap, 0)
        assert text[span.start : span.end].strip()
        joined += text[end : span.end]
        end = span.end
    assert joined == (text if text.strip() else "")


@quick
@given(text=TEXTS)
def test_lines_are_those_of_the_offsets(text: str) -> None:
    for span in split(text, SMALL):
        assert span.line_start == 1 + text.count("\n", 0, span.start)
        assert span.line_end == 1 + text.count("\n", 0, span.end - 1)


@quick
@given(text=TEXTS)
def test_no_chunk_is_larger_than_the_size_but_for_blanks(text: str) -> None:
    for chunk in chunk_texts(text, SMALL):
        assert estimate_tokens("".join(chunk.split())) <= SMALL.size // 4


@quick
@given(text=TEXTS)
def test_windows_leave_nothing_out(text: str) -> None:
    for chunk in chunk_texts(text, SMALL):
        embedded = "".join(windows(chunk, "", SMALL.window))
        assert "".join(embedded.split()) == "".join(chunk.split())


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\n"])
def test_a_blank_text_has_no_chunk(text: str) -> None:
    assert split(text, DEFAULT) == []
    assert windows(text, "title", 500) == []


def test_a_short_text_is_one_chunk() -> None:
    assert split("one\ntwo", DEFAULT) == [Span(0, 7, 1, 2, "")]


def test_lines_are_packed_with_whole_lines_repeated() -> None:
    text = "\n".join(f"line {number:03} " + "x" * 70 for number in range(60)) + "\n"
    first, second, *_ = chunk_texts(text)
    assert len(first) <= DEFAULT.size
    assert second.startswith("line ")
    repeated = [line for line in first.splitlines() if line in second]
    assert 1 <= len(repeated) <= 4


def test_an_oversized_line_is_never_repeated_whole() -> None:
    text = "intro\n" + "word " * 1000 + "\noutro\n"
    spans = split(text, DEFAULT)
    assert all(
        before.end - after.start <= DEFAULT.overlap
        for before, after in itertools.pairwise(spans)
    )
    assert all(text[span.end - 1].isspace() for span in spans)


def test_cuts_at_a_heading_before_a_paragraph_before_a_line() -> None:
    paragraph = "a line of text\n" * 20
    text = f"# One\n\n{paragraph}\n## Two\n\n{paragraph}\n## Three\n{paragraph}"
    spans = split(text, ChunkConfig(size=400, overlap=40, window=200))
    assert [span.heading for span in spans] == ["One", "One > Two", "One > Three"]
    assert text[spans[1].start :].startswith("## Two")

    text = "a line of text\n" * 18 + "\n" + "another line\n" * 20
    first, *_ = chunk_texts(text, ChunkConfig(size=400, overlap=0, window=200))
    assert first == "a line of text\n" * 18 + "\n"


def test_a_sentence_is_the_cut_of_an_oversized_line() -> None:
    text = "This is a sentence of some words. " * 100
    assert all(chunk.endswith("words. ") for chunk in chunk_texts(text))
    chinese = "这是一个句子。" * 400
    assert all(chunk.endswith("。") for chunk in chunk_texts(chinese))


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_fenced_block_is_kept_whole_and_has_no_headings(fence: str) -> None:
    block = f"{fence}python\n# not a heading\n\n" + "code()\n" * 100 + f"{fence}\n"
    text = "# Real\n" + "some text\n" * 120 + block + "after\n"
    spans = split(text, DEFAULT)
    assert any(block in text[span.start : span.end] for span in spans)
    assert {span.heading for span in spans} == {"Real"}


def test_an_unclosed_fence_runs_to_the_end() -> None:
    text = "```\n" + "# no heading\n" * 300
    assert {span.heading for span in split(text, DEFAULT)} == {""}


def test_a_table_is_kept_whole() -> None:
    table = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 100
    text = "words here\n" * 80 + "\n" + table + "\nmore\n"
    assert any(table in chunk for chunk in chunk_texts(text))


def test_a_heading_stays_with_its_text() -> None:
    text = "x" * 79 + "\n" + "y" * 79 + "\n\n# Title\n\n" + "z" * 60 + "\n"
    for chunk in chunk_texts(text, ChunkConfig(size=200, overlap=0, window=60)):
        assert ("# Title" in chunk) == ("zzz" in chunk)


def test_headings_nest() -> None:
    text = "# A\n## B\n### C #\ntext\n## D\n" + "t " * 300 + "\n# E\n" + "u " * 300
    config = ChunkConfig(size=300, overlap=0, window=100)
    headings = [span.heading for span in split(text, config)]
    assert headings[0] == "A > B > C"
    assert "A > D" in headings
    assert headings[-1] == "E"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("abcd", 1),
        ("abcde", 2),
        ("汉字", 2),
        ("🎉", 1),
        ("─│", 2),
        ("éèàü", 1),
    ],
)
def test_token_estimate(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_chinese_chunks_are_a_quarter_as_long() -> None:
    lengths = [len(chunk) for chunk in chunk_texts("汉" * 2000)]
    assert max(lengths) <= 400
    assert sum(lengths) >= 2000


@pytest.mark.parametrize("unit", ["x", "a ", "汉", "a. ", "# ", "a|", "`", "\n#a"])
def test_a_large_text_ends_in_bounded_time(unit: str) -> None:
    text = unit * (600_000 // len(unit))
    before = time.process_time()
    split(text, DEFAULT)
    assert time.process_time() - before < 5


def test_windows_carry_the_prefix() -> None:
    found = windows("a line of text\n" * 100, "2026-03-27 Title", 500)
    assert len(found) == 3
    assert all(text.startswith("2026-03-27 Title\na line") for text in found)
    assert all(len(text) <= 4 * 500 // 3 + len("2026-03-27 Title\n") for text in found)
