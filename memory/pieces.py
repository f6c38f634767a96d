"""Where a text may be cut: its headings, blocks, lines and sentences. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np

from goclaw.lib.config import ChunkConfig

CHARS_PER_TOKEN = 4
MAX_HEADING = 300

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(\S.*?))?(?:[ \t]+#+)?[ \t]*$")
_SENTENCE_END = re.compile(
    "[.!?\u2026][\"'\u201d\u2019)\\]]*\\s+"
    "|[\u3002\uff01\uff1f\uff61][\u300d\u300f\u201d\u2019\uff09]*\\s*"
)
_BLANK = re.compile(r"\s*")
_LONGEST_MARKUP_LINE = 1000
_COSTLY = (  # first and last code point of scripts that cost about a token a character
    (0x1100, 0x11FF),  # Hangul Jamo
    (0x2500, 0x27BF),  # box drawing, symbols, dingbats
    (0x2E80, 0xA4CF),  # CJK, kana, Yi
    (0xAC00, 0xD7FF),  # Hangul syllables
    (0xF900, 0xFAFF),  # CJK compatibility
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),  # full and half width
    (0x1F000, 0x3FFFF),  # emoji, rarer CJK
)


class Break(IntEnum):
    """How good a place the start of a piece is for a cut."""

    TIED = 0  # the first text under a heading belongs to it
    SENTENCE = 1
    LINE = 2
    PARAGRAPH = 3
    HEADING = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """`text[start:end]`, better left whole, and the headings above it."""

    start: int
    end: int
    before: Break
    heading: str
    is_heading: bool = False


class Costs:
    """What any part of a text costs, in characters of Latin text."""

    def __init__(self, text: str) -> None:
        self._sums = None if text.isascii() else _cumulative_costs(text)

    def of(self, start: int, end: int) -> int:
        """Return the cost of `text[start:end]`."""
        if self._sums is None:
            return end - start
        return int(self._sums[end] - self._sums[start])

    def reach(self, start: int, budget: int) -> int:
        """Return how far the budget goes, at least one character."""
        if self._sums is None:
            return start + max(budget, 1)
        limit = self._sums[start] + budget
        end = int(np.searchsorted(self._sums, limit, side="right")) - 1
        return max(end, start + 1)


def _cumulative_costs(text: str) -> np.ndarray:
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    costs = np.ones(len(points) + 1, dtype=np.int64)
    costs[0] = 0
    for first, last in _COSTLY:
        costs[1:][(points >= first) & (points <= last)] = CHARS_PER_TOKEN
    return np.cumsum(costs)


def cut_into_pieces(text: str, costs: Costs, config: ChunkConfig) -> Iterator[Piece]:
    """Yield the parts that are better left whole; together they are the whole text."""
    pending: Piece | None = None
    start = 0
    for block in _blocks(text):
        for part in _refine(text, block, costs, config):
            if pending is not None:
                yield replace(pending, start=start, end=part.start)
                start = part.start
            pending = part
    if pending is not None:
        yield replace(pending, start=start, end=len(text))


def _refine(
    text: str, block: Piece, costs: Costs, config: ChunkConfig
) -> Iterator[Piece]:
    if costs.of(block.start, block.end) <= config.size:
        yield block
        return
    before = block.before
    for start, end in _lines(text, block.start, block.end):
        line = replace(block, start=start, end=end, before=before)
        before = Break.LINE
        if not text[start:end].strip():
            continue
        if costs.of(start, end) <= config.size:
            yield line
        else:
            yield from _sentences(text, line, costs, config)


def _sentences(
    text: str, line: Piece, costs: Costs, config: ChunkConfig
) -> Iterator[Piece]:
    """Yield the sentences of an oversized line, words of an oversized sentence."""
    longest = config.overlap if config.overlap else config.size // 4
    start, before = line.start, line.before
    while start < line.end:
        body = _after_blank(text, start, line.end)
        limit = min(costs.reach(body, longest), line.end)
        cut = limit if limit == line.end else _last_cut(text, body, limit)
        end = _after_blank(text, cut, line.end)
        yield replace(line, start=start, end=end, before=before)
        start, before = end, Break.SENTENCE


def _after_blank(text: str, start: int, end: int) -> int:
    blank = _BLANK.match(text, start, end)
    return blank.end() if blank else start


def _last_cut(text: str, start: int, limit: int) -> int:
    """Return the best place to cut within [start, limit], later than start."""
    end = 0
    for match in _SENTENCE_END.finditer(text, start, limit):
        end = match.end()
    if end > start:
        return end
    for cut in range(limit, start, -1):
        if text[cut - 1].isspace() or text[cut].isspace():
            return cut
    return limit


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the extent of each line with its newline."""
    while start < end:
        newline = text.find("\n", start, end)
        stop = end if newline < 0 else newline + 1
        yield start, stop
        start = stop


def _blocks(text: str) -> Iterator[Piece]:
    """Yield headings, fenced blocks, tables and single lines, without blank lines."""
    path: list[tuple[int, str]] = []
    before = Break.PARAGRAPH
    lines = list(_lines(text, 0, len(text)))
    at = 0
    while at < len(lines):
        start, end = lines[at]
        line = text[start : min(end, start + _LONGEST_MARKUP_LINE)].rstrip()
        if not line and not text[start:end].strip():
            if before is not Break.TIED:
                before = Break.PARAGRAPH
            at += 1
            continue
        heading = _HEADING.match(line) if end - start < _LONGEST_MARKUP_LINE else None
        if heading:
            level, title = len(heading[1]), heading[2] or ""
            path = [(lv, name) for lv, name in path if lv < level] + [(level, title)]
            yield Piece(start, end, Break.HEADING, _joined(path), is_heading=True)
            before, at = Break.TIED, at + 1
            continue
        following = _group_end(text, lines, at, line)
        stop = lines[following - 1][1]
        yield Piece(start, stop, before, _joined(path))
        grouped = following > at + 1
        before, at = Break.PARAGRAPH if grouped else Break.LINE, following


def _group_end(text: str, lines: list[tuple[int, int]], at: int, line: str) -> int:
    """Return the line after the fenced block or table that starts here, or the next."""
    fence = _FENCE.match(line)
    if fence:
        return _fence_end(text, lines, at, fence[1])
    is_table = (
        "|" in line
        and at + 1 < len(lines)
        and _is_table_rule(text[slice(*lines[at + 1])])
    )
    end = at + 1
    while is_table and end < len(lines) and "|" in text[slice(*lines[end])]:
        end += 1
    return end


def _fence_end(text: str, lines: list[tuple[int, int]], at: int, mark: str) -> int:
    """Return the line after the closing fence, or the end of the text."""
    for end in range(at + 1, len(lines)):
        line = text[slice(*lines[end])].strip()
        if line.startswith(mark) and not line.strip(mark[0]):
            return end + 1
    return len(lines)


def _is_table_rule(line: str) -> bool:
    return "|" in line and not line.strip("|-: \t\r\n") and "-" in line


def _joined(path: list[tuple[int, str]]) -> str:
    return " > ".join(title for _, title in path if title)[:MAX_HEADING]
