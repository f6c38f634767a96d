"""Markdown as plain words: what a list or a result shows of a text. Pure.

A snippet begins and ends anywhere, and records are notes, logs and identifiers as often
as Markdown: a mark without its partner stays, and so does what looks like a name
(`__init__`, `*.py`, `a[0]`). Nothing is decoded: what comes out is text, which
templates escape as they do any other.
"""

import re
from collections.abc import Iterable
from itertools import accumulate

Spans = Iterable[tuple[int, int]]

BETWEEN_CELLS = " · "
_GONE, _LITERAL = "\0", "\1"
"""What stands for characters that no later rule may take for a mark."""

_FENCE = r"^[ \t]*(?P<fence>`{3,}|~{3,})"
_CODE_LINES = r"(?P<keep>(?:(?![ \t]*(?:```|~~~))[^\n]*\n)*"
_ADDRESS = (
    r"\([ \t]*(?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_LABEL = r"(?P<keep>(?:[^\[\]\n]|\n(?![ \t]*\n)|\[[^\[\]\n]*\])+)"
_NO_INDEX = r"(?<![\w\])\\])"  # a[0](x) is no link


def _paired(mark: str, opening: str, closing: str, inside: str, side: str) -> str:
    """Return the pattern of words between two marks, with what may stand where."""
    return (
        rf"(?<![{side}]){mark}(?={opening})"
        rf"(?P<keep>(?:(?!\n[ \t]*\n){inside})+?)(?<={closing}){mark}(?![{side}])"
    )


def _starred(mark: str, inside: str = r"[\s\S]") -> str:
    opening, closing = r"[\w\"'“‘„«(<\[\0\1]", r"[\w\"'”’»)>\].,:;!?%…\0\1]"
    return _paired(mark, opening, closing, inside, r"A-Za-z0-9*\\")


# What a match holds besides `keep` goes; of the first ones `keep` is code, or a mark
# that is meant as it is written.
_LITERALS = [
    _FENCE + r"[^`\n]*\n" + _CODE_LINES + r")[ \t]*(?P=fence)[ \t]*$",
    _FENCE + r"[ \t]*[^\s`~][^`\n]*\n" + _CODE_LINES + r"[^\n]*)\Z",  # its end is cut
    r"^[ \t]*(?:`{3,}|~{3,})[^`\n]*$",
    r"(?<![`\\])(?P<ticks>`+)(?!`)(?P<keep>[^\n]+?)(?<!`)(?P=ticks)(?!`)",
]
_LINKS = [
    r"(?<!\\)\[\[(?!\s)(?:[^\[\]|\n]*\|(?=[^\]\n]))?(?P<keep>[^\[\]\n]+?)\\?\|?\]\]",
    r"!\[(?P<keep>[^\[\]\n]*)\]" + _ADDRESS,
    _NO_INDEX + r"\[" + _LABEL + r"\]" + _ADDRESS,
    r"<(?P<keep>https?://[^\s<>]+)>",
    # The same, cut by an edge of the snippet.
    r"(?<!\\)\[\[(?!\s)(?:[^\[\]|\n]*\|)?(?P<keep>[^\[\]|\n]*)\]?\Z",
    _NO_INDEX + r"!?\[" + _LABEL + r"\]\([^()\s]*\Z",
    r"\A(?:[^\[\]|\n]*\|)?(?P<keep>[^\[\]|\n]*)\]\]",
    r"\A(?P<keep>[^\[\]\n]*)\]" + _ADDRESS,
]
_ESCAPES = [r"\\(?P<keep>[*_#|`~\[\]])"]
_SEPARATORS = [
    r"^[ \t]*(?=[^\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$",
    r"^[ \t]*(?:={3,}|(?P<sign>[-*_])(?:[ \t]*(?P=sign)){2,})[ \t]*$",
]
_LINE_STARTS = [
    r"^[ \t]*>[ \t>]*\[!(?P<keep>NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]",
    r"^[ \t]*(?:(?:>|[-*+][ \t])[ \t]*)+",
    r"^[ \t\0]*#{1,6}[ \t]+(?P<keep>[^\n]*?)(?:[ \t]+#+)?[ \t]*$",
]
_WORDS = [
    _starred(r"\*\*\*"),
    _starred(r"\*\*"),
    _starred(r"\*", r"[^*]"),
    _paired("__", r"(?!\w+__)[^\s_]", r"[^\s_]", r"[\s\S]", r"\w\\"),
    _paired("_", r"[^\s_]", r"[^\s_]", r"[^_]", r"\w\\"),
    _paired("~~", r"[^\s~]", r"[^\s~]", r"[^~]", r"~\\"),
]


def _compiled(*groups: list[str]) -> list[re.Pattern[str]]:
    return [re.compile(one, re.MULTILINE) for group in groups for one in group]


_STEPS = [
    (_compiled(_LITERALS), True),
    (_compiled(_LINKS), False),
    (_compiled(_ESCAPES), True),
    (_compiled(_SEPARATORS), False),
]
_LAST_STEP = _compiled(_LINE_STARTS, _WORDS)
_ROW = r"[ \t]*\|[^\n]*\|[ \t]*"
_TABLE = re.compile(
    r"\A(?![ \t]*\|)[^\n]+\|[ \t]*$(?=\n[ \t]*[|\0])"  # a row whose start is cut
    rf"|(?:^{_ROW}(?:\n|\Z))+(?:[ \t]*\|[^\n]*\Z)?",
    re.MULTILINE,
)
_ROW_EDGES = re.compile(r"^[ \t|]*\|[ \t|]*|[ \t|]*\|[ \t|]*$", re.MULTILINE)
_CELL_END = re.compile(r"[ \t]*\|[ \t|]*")
_BLANK = re.compile(r"\A\s+|\s+\Z|\n\s*(?=\n)")


class _Rewriting:
    """A text of which parts go; `work` is what rules see, as long as the text."""

    def __init__(self, text: str) -> None:
        self.work = text
        self._out = list(text)

    def put(self, start: int, end: int, instead: str = "") -> None:
        """Take the characters out, and put something in their place."""
        if start < end:
            self._out[start:end] = [instead] + [""] * (end - start - 1)
            self._cover(start, end, _GONE)

    def apply(self, rules: Iterable[re.Pattern[str]], *, literal: bool) -> None:
        """Take out what the matches hold besides their group `keep`."""
        for rule in rules:
            for found in rule.finditer(self.work):
                start = end = found.end()
                if "keep" in rule.groupindex:
                    start, end = found.span("keep")
                self.put(found.start(), start)
                self.put(end, found.end())
                if literal:
                    self._cover(start, end, _LITERAL)

    def join_cells(self) -> None:
        """Make lines of the rows of tables."""
        for table in _TABLE.finditer(self.work):
            for edge in _ROW_EDGES.finditer(self.work, *table.span()):
                self.put(*edge.span())
            for end in _CELL_END.finditer(self.work, *table.span()):
                self.put(*end.span(), BETWEEN_CELLS)

    def result(self, matches: Spans) -> tuple[str, list[tuple[int, int]]]:
        """Return what is left, and where the matches are in it."""
        at = list(accumulate(map(len, self._out), initial=0))
        moved = [(at[start], at[end]) for start, end in matches]
        return "".join(self._out), [(start, end) for start, end in moved if start < end]

    def _cover(self, start: int, end: int, sign: str) -> None:
        self.work = self.work[:start] + sign * (end - start) + self.work[end:]


def plain(text: str, matches: Spans = ()) -> tuple[str, list[tuple[int, int]]]:
    """Return the words of a text, and where its (start, end) matches are in them.

    A text of marks alone stays as it is.
    """
    matches = list(matches)
    marked = _Rewriting(text)
    for rules, literal in _STEPS:
        marked.apply(rules, literal=literal)
    marked.join_cells()
    marked.apply(_LAST_STEP, literal=False)
    words, moved = marked.result(matches)
    blank = _Rewriting(words)
    for found in _BLANK.finditer(words):
        blank.put(*found.span())
    words, moved = blank.result(moved)
    return (words, moved) if words else (text, matches)
