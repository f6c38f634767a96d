"""What changed between two texts, as lines to render. Pure.

Lines always, words inside a replaced pair of lines, both within a budget: matching
repeated elements is cubic, and a page has to answer whatever somebody pasted.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3
"""Unchanged lines shown around a change."""
MOST_LINES = 400
"""Lines of one diff that are shown."""
BUDGET = 2_000_000
"""Steps a diff may take, as `_cost` counts them: some tenths of a second."""

# Words with the space after them; scripts that do without spaces by character.
_UNSPACED = "\u0e00-\u0eff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff"
_WORDS = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+\s*|\s+")

Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A run of characters within a line; `changed` ones are set off."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a diff: `same`, `added`, `removed`; or `count` lines that are left out.

    `fold` stands for lines that did not change, `cut` for the end of a long diff.
    """

    op: str
    parts: tuple[Part, ...] = ()
    count: int = 0


def diff(old: str, new: str) -> list[Line]:
    """Return the lines that turn `old` into `new`; [] when no line differs."""
    before, after = old.splitlines(), new.splitlines()
    if before == after:
        return []
    opcodes, left = _opcodes(before, after)
    lines: list[Line] = []
    for op, a1, a2, b1, b2 in opcodes:
        if op == "equal":
            lines += _folded(before[a1:a2], first=not lines, last=a2 == len(before))
            continue
        pairs: list[tuple[list[str], list[str]]] = []
        for removed, added in zip(before[a1:a2], after[b1:b2], strict=False):
            words = [removed], [added]
            if left > 0 and len(pairs) < MOST_LINES:
                words = _WORDS.findall(removed), _WORDS.findall(added)
                left -= _cost(*words)
            pairs.append(words if left > 0 else ([removed], [added]))
        rest = before[a1 + len(pairs) : a2], after[b1 + len(pairs) : b2]
        lines += _changed(pairs, *rest)
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [Line("cut", count=len(lines) - MOST_LINES)]
    return lines


def _opcodes(before: list[str], after: list[str]) -> tuple[list[Opcode], int]:
    """Return how to turn one list into the other, and what is left of the budget."""
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    a_end, b_end = len(before) - tail, len(after) - tail
    a, b = before[head:a_end], after[head:b_end]
    cost = _cost(a, b)
    if cost > BUDGET:
        inner: list[Opcode] = [("replace", head, a_end, head, b_end)]
    else:
        inner = [
            (op, a1 + head, a2 + head, b1 + head, b2 + head)
            for op, a1, a2, b1, b2 in SequenceMatcher(None, a, b).get_opcodes()
        ]
    around: list[Opcode] = [
        ("equal", 0, head, 0, head),
        ("equal", a_end, len(before), b_end, len(after)),
    ]
    opcodes = [around[0], *inner, around[1]]
    kept = [code for code in opcodes if code[2] > code[1] or code[4] > code[3]]
    return kept, max(0, BUDGET - cost)


def _cost(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the steps that matching may take at worst: equal pairs x blocks.

    SequenceMatcher leaves out what makes up more than 1 % of 200 elements or more.
    """
    counts = Counter(b)
    most = len(b) // 100 + 1 if len(b) >= 200 else len(b)
    pairs = sum(
        n * counts[element]
        for element, n in Counter(a).items()
        if counts[element] <= most
    )
    return pairs * min(len(a), len(b))


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
    pairs: list[tuple[list[str], list[str]]], removed: list[str], added: list[str]
) -> Iterator[Line]:
    """Yield what went and what came; of pairs of lines only the words that differ."""
    compared = [_matched(old, new) for old, new in pairs]
    yield from (Line("removed", old) for old, _ in compared)
    yield from (_whole("removed", text) for text in removed)
    yield from (Line("added", new) for _, new in compared)
    yield from (_whole("added", text) for text in added)


def _matched(
    old: list[str], new: list[str]
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return both lines cut into parts, the words that differ marked."""
    if len(old) == len(new) == 1:
        return (Part(old[0]),), (Part(new[0]),)
    removed: list[Part] = []
    added: list[Part] = []
    for op, a1, a2, b1, b2 in SequenceMatcher(None, old, new).get_opcodes():
        if a2 > a1:
            removed.append(Part("".join(old[a1:a2]), changed=op != "equal"))
        if b2 > b1:
            added.append(Part("".join(new[b1:b2]), changed=op != "equal"))
    return tuple(removed), tuple(added)
