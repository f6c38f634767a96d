"""What two sequences have in common, in bounded time. Pure.

Matching repeated elements is cubic at worst, and a page has to answer whatever
somebody pasted; so every comparison spends from a budget.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

Opcode = tuple[str, int, int, int, int]
"""(`equal`, `replace`, `delete` or `insert`; start, end in a; start, end in b)"""
_Block = tuple[int, int, int]
"""(start in a, start in b, length)"""

MOST_DEPTH = 8
"""How often what lies between anchors is cut at anchors of its own."""


@dataclass(slots=True)
class Budget:
    """Steps that may still be taken; a million are about a tenth of a second."""

    left: int = 2_000_000

    def pay(self, cost: int) -> bool:
        """Take the cost and return True; return False when there is not enough."""
        if cost > self.left:
            return False
        self.left -= cost
        return True


def opcodes(
    a: Sequence[Hashable], b: Sequence[Hashable], budget: Budget
) -> list[Opcode]:
    """Return how to turn `a` into `b`: all of both, in order, nothing empty.

    When the budget is spent the rest counts as replaced.
    """
    codes: list[Opcode] = []
    i = j = 0
    for start_a, start_b, size in [
        *_joined(_blocks(a, b, (0, len(a), 0, len(b)), budget, MOST_DEPTH)),
        (len(a), len(b), 0),
    ]:
        if i < start_a and j < start_b:
            codes.append(("replace", i, start_a, j, start_b))
        elif i < start_a:
            codes.append(("delete", i, start_a, j, j))
        elif j < start_b:
            codes.append(("insert", i, i, j, start_b))
        i, j = start_a + size, start_b + size
        if size:
            codes.append(("equal", start_a, i, start_b, j))
    return codes


def _joined(blocks: Iterator[_Block]) -> Iterator[_Block]:
    """Yield blocks that touch on both sides as one."""
    whole = (0, 0, 0)
    for block in blocks:
        if (block[0], block[1]) == (whole[0] + whole[2], whole[1] + whole[2]):
            whole = (whole[0], whole[1], whole[2] + block[2])
            continue
        if whole[2]:
            yield whole
        whole = block
    if whole[2]:
        yield whole


def _blocks(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    span: tuple[int, int, int, int],
    budget: Budget,
    depth: int,
) -> Iterator[_Block]:
    """Yield what is equal within the span: start and end, then what lies between."""
    a1, a2, b1, b2 = span
    shorter = min(a2 - a1, b2 - b1)
    head = 0
    while head < shorter and a[a1 + head] == b[b1 + head]:
        head += 1
    tail = 0
    while tail < shorter - head and a[a2 - 1 - tail] == b[b2 - 1 - tail]:
        tail += 1
    if head:
        yield a1, b1, head
    inner = a1 + head, a2 - tail, b1 + head, b2 - tail
    if inner[0] < inner[1] and inner[2] < inner[3]:
        yield from _inner_blocks(a, b, inner, budget, depth)
    if tail:
        yield a2 - tail, b2 - tail, tail


def _inner_blocks(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    span: tuple[int, int, int, int],
    budget: Budget,
    depth: int,
) -> Iterator[_Block]:
    a1, a2, b1, b2 = span
    ours, theirs = a[a1:a2], b[b1:b2]
    if set(ours).isdisjoint(theirs):
        return
    if budget.pay(_cost(ours, theirs)):
        matcher = SequenceMatcher(None, ours, theirs)
        for i, j, size in matcher.get_matching_blocks():
            if size:
                yield a1 + i, b1 + j, size
        return
    if not depth:
        return
    anchors = _anchors(ours, theirs)
    if not anchors:
        return
    i, j = a1, b1
    for at_a, at_b in [*anchors, (a2 - a1, b2 - b1)]:
        end_a, end_b = a1 + at_a, b1 + at_b
        if i < end_a and j < end_b:
            yield from _blocks(a, b, (i, end_a, j, end_b), budget, depth - 1)
        if end_a < a2:
            yield end_a, end_b, 1
        i, j = end_a + 1, end_b + 1


def _cost(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
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


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return where elements are that each side has once, in an order both share.

    The idea of patience diff: the longest increasing run of their positions.
    """
    once_a, once_b = Counter(a), Counter(b)
    where = {element: j for j, element in enumerate(b) if once_b[element] == 1}
    pairs = [
        (i, where[element])
        for i, element in enumerate(a)
        if once_a[element] == 1 and element in where
    ]
    tails: list[int] = []  # the smallest last position of a run of each length
    last: list[int] = []  # the pair that ends it
    previous: list[int] = []  # for each pair, the one before it in its run
    for at, (_, j) in enumerate(pairs):
        length = bisect_left(tails, j)
        previous.append(last[length - 1] if length else -1)
        tails[length : length + 1] = [j]
        last[length : length + 1] = [at]
    run: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        run.append(pairs[at])
        at = previous[at]
    return run[::-1]
