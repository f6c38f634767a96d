"""What changed between two texts, as lines to render. Pure.

Lines always, words only inside a replaced pair of lines and within a budget: matching
words is quadratic, and a page has to answer whatever somebody pasted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3
"""Unchanged lines shown around a change."""
WORD_BUDGET = 30_000_000
"""Sum of (old length x new length) of the line pairs whose words are compared."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Part:
    """A run of characters within a line; `changed` ones are set off."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a diff: `same`, `added`, `removed`, or `fold` for `count` lines."""

    op: str
    parts: tuple[Part, ...] = ()
    count: int = 0


def diff(old: str, new: str) -> list[Line]:
    """Return the lines that turn `old` into `new`; [] when nothing differs."""
    if old == new:
        return []
    before, after = old.splitlines(), new.splitlines()
    matcher = SequenceMatcher(None, before, after)
    lines: list[Line] = []
    spent = 0
    for op, a1, a2, b1, b2 in matcher.get_opcodes():
        if op == "equal":
            lines += _folded(before[a1:a2], first=not lines, last=a2 == len(before))
            continue
        pairs = list(zip(before[a1:a2], after[b1:b2], strict=False))
        spent += sum(len(a) * len(b) for a, b in pairs)
        if spent > WORD_BUDGET:
            pairs = []
        lines += _changed(pairs, before[a1 + len(pairs) : a2], after[b1 + len(pairs) : b2])
    return lines


def _whole(op: str, text: str) -> Line:
    return Line(op, (Part(text),))


def _folded(texts: list[str], *, first: bool, last: bool) -> Iterator[Line]:
    """Yield unchanged lines, those far from any change as one fold."""
    head = 0 if first else CONTEXT
    tail = 0 if last else CONTEXT
    hidden = len(texts) - head - tail
    if hidden < 2:
        yield from (_whole("same", text) for text in texts)
        return
    yield from (_whole("same", text) for text in texts[:head])
    yield Line("fold", count=hidden)
    yield from (_whole("same", text) for text in texts[len(texts) - tail :])


def _changed(
    pairs: list[tuple[str, str]], removed: list[str], added: list[str]
) -> Iterator[Line]:
    """Yield what went and what came; of pairs of lines only the words that differ."""
    compared = [_words(old, new) for old, new in pairs]
    yield from (Line("removed", old) for old, _ in compared)
    yield from (_whole("removed", text) for text in removed)
    yield from (Line("added", new) for _, new in compared)
    yield from (_whole("added", text) for text in added)


def _words(old: str, new: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return both lines cut into parts, the words that differ marked."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    removed: list[Part] = []
    added: list[Part] = []
    for op, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if a2 > a1:
            removed.append(Part("".join(a[a1:a2]), changed=op != "equal"))
        if b2 > b1:
            added.append(Part("".join(b[b1:b2]), changed=op != "equal"))
    return tuple(removed), tuple(added)
