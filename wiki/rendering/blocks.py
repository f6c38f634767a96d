"""Bring the blocks of a text into the form Python-Markdown reads. Pure.

People and language models write by the rules of CommonMark: lists nested by two spaces,
lists and tables right after a paragraph, fences inside of lists and quotes. This pass
walks the lines once, keeps track of what contains what, and writes each level with the
four spaces that Python-Markdown counts. Fenced code is taken out and replaced by a
placeholder; comments go.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_DEPTH = 24
"""Deeper lists and quotes stay text: nothing sensible nests like that."""
STEP = "    "
MOST_COMMENT = 500
"""Lines of a comment; a longer one is text."""

_ITEM = re.compile(r"( *)([-+*]|\d{1,9}[.)])( +(?=\S)|$)")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")
_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_QUOTE = re.compile(r" {0,3}> ?")
_HOLDER = re.compile(r"!!! ?\w|\[\^[^\]\n]{1,80}\]:|: {1,3}\S")
_SEPARATOR = re.compile(r" *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$")
_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\] *$", re.IGNORECASE)

Keep = Callable[[str, str], str]
"""Takes (code, info string) away and returns the line that stands for it."""


@dataclass(frozen=True, slots=True)
class _Open:
    """Something that contains lines: a list item, a note, a footnote.

    `need` is the indent a line needs to be inside, `content` where its text begins.
    """

    need: int
    content: int


@dataclass(slots=True)
class _State:
    out: list[str] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    after_blank: bool = True
    kinds: dict[int, str] = field(default_factory=dict)
    """The marker of the last list at each depth."""

    block: int | None = None
    """The depth of the item that the current block begins with; None for text."""

    def put(self, line: str, item: int | None = None) -> None:
        """Write a line; `item` is its depth when it is a list item."""
        if self.after_blank:
            self.block = item
        self.out.append(line)
        self.after_blank = not line

    def part(self) -> None:
        """Begin a new block."""
        if not self.after_blank:
            self.put("")

    def leave(self, indent: int) -> None:
        """Leave all that a line of that indent is not inside of."""
        while self.stack and indent < self.stack[-1].need:
            self.stack.pop()

    def indented(self, indent: int, text: str) -> str:
        """Return the text at the level that is open; deeper ones keep the rest."""
        inside = self.stack[-1].content if self.stack else 0
        return STEP * len(self.stack) + " " * max(0, indent - inside) + text


def arrange(lines: list[str], keep: Keep) -> list[str]:
    """Return the lines, arranged for Python-Markdown, fenced code given to `keep`.

    The lines hold no tabs.
    """
    return _arrange(list(lines), keep, 0)


def _arrange(lines: list[str], keep: Keep, depth: int) -> list[str]:
    state, at = _State(), 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            state.put("")
            at += 1
        elif fence := _FENCE.match(line):
            at = _take_fence(lines, at, fence, state, keep)
        elif line.lstrip().startswith("<!--") and (end := _comment_end(lines, at)):
            at = end
        elif depth < MOST_DEPTH and _QUOTE.match(line.lstrip(" ")):
            at = _take_quote(lines, at, state, keep, depth)
        else:
            _take_line(lines, at, state)
            at += 1
    return state.out


def _take_line(lines: list[str], at: int, state: _State) -> None:
    line = lines[at]
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    item = _ITEM.match(line)
    if item and not _RULE.match(line) and _may_begin(item, state):
        _take_item(line, item, state)
        return
    begins_block = _begins_block(lines, at)
    if state.after_blank or begins_block:
        state.leave(indent)
    if begins_block:
        state.part()
    if not (state.after_blank or state.stack or begins_block):
        state.put(line)  # the middle of a paragraph
        return
    state.put(state.indented(indent, text))
    if not state.stack and _HOLDER.match(line):
        state.stack.append(_Open(need=4, content=4))
    if _HEADING.match(line):
        state.put("")


def _may_begin(item: re.Match[str], state: _State) -> bool:
    """Say whether the marker begins an item here, rather than being text or code."""
    indent = len(item[1])
    if not state.stack:
        if indent > 3:
            return False
        # In a paragraph "2019. A year" is text, and so is a lone dash.
        return state.after_blank or (bool(item[3]) and item[2] in {*"-+*", "1.", "1)"})
    top = state.stack[-1]
    if len(state.stack) >= MOST_DEPTH and indent >= top.need:
        return False
    return not (state.after_blank and indent >= top.content + 4)


def _take_item(line: str, item: re.Match[str], state: _State) -> None:
    kind = item[2][-1]
    before = len(state.stack)
    state.leave(len(item[1]))
    depth = len(state.stack)
    is_other_list = depth < before and state.kinds.get(depth) != kind
    if state.block is None or depth < state.block or is_other_list:
        state.part()
    marker = item[2].replace(")", ".")
    state.put(f"{STEP * depth}{marker} {line[item.end() :]}", item=depth)
    state.kinds[depth] = kind
    state.stack.append(_Open(need=len(item[1]) + 2, content=item.end()))


def _begins_block(lines: list[str], at: int) -> bool:
    line = lines[at]
    if _HEADING.match(line) or line.startswith("!!!"):
        return True
    if line.startswith("[^") and _HOLDER.match(line):
        return True
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return (
        "|" in line
        and "|" in following
        and "-" in following
        and bool(_SEPARATOR.match(following))
        and not (at and "|" in lines[at - 1])
    )


def _take_fence(
    lines: list[str], at: int, fence: re.Match[str], state: _State, keep: Keep
) -> int:
    """Take a fenced block out, also one that is never closed; return what is next."""
    indent, mark = len(fence[1]), fence[2]
    if state.stack and not state.after_blank and indent == 0:
        state.stack.clear()
    state.leave(indent)
    code: list[str] = []
    at += 1
    while at < len(lines):
        line, bare = lines[at], lines[at].strip()
        at += 1
        if len(bare) >= len(mark) and not bare.strip(mark[0]):
            break
        code.append(line[min(indent, len(line) - len(line.lstrip(" "))) :])
    else:  # never closed; the blank lines at the end are not its own
        while code and not code[-1].strip():
            code.pop()
    state.part()
    state.put(STEP * len(state.stack) + keep("\n".join(code), fence[3].strip()))
    state.put("")
    return at


def _comment_end(lines: list[str], at: int) -> int:
    """Return what follows a comment, or 0 when it has no end; what is left stays."""
    for end in range(at, min(len(lines), at + MOST_COMMENT)):
        if "-->" in lines[end]:
            lines[end] = lines[end].split("-->", 1)[1]
            return end if lines[end].strip() else end + 1
    return 0


def _take_quote(
    lines: list[str], at: int, state: _State, keep: Keep, depth: int
) -> int:
    """Arrange the inside of a quote on its own; return what is next."""
    text = lines[at].lstrip(" ")
    indent = len(lines[at]) - len(text)
    if state.after_blank or indent < (state.stack[-1].need if state.stack else 0):
        state.leave(indent)
    inside: list[str] = []
    while at < len(lines) and (quote := _QUOTE.match(lines[at].lstrip(" "))):
        inside.append(lines[at].lstrip(" ")[quote.end() :])
        at += 1
    state.part()
    level = STEP * len(state.stack)
    alert = _ALERT.match(inside[0].strip())
    if alert:
        state.put(f"{level}!!! {alert[1].lower()}")
        inside[0] = ""
    prefix = STEP if alert else "> "
    for line in _arrange(inside, keep, depth + 1):
        state.put(f"{level}{prefix}{line}".rstrip() if line or not alert else "")
    state.put("")
    return at
