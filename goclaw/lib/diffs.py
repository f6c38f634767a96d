"""What changed between two texts, as rows to render. Pure.

Lines first, then words inside the lines that took each other's place, all within a
budget: a page has to answer whatever somebody pasted. Nothing is HTML here; templates
escape.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from goclaw.lib.hidden import pieces
from goclaw.lib.matching import Budget, opcodes

CONTEXT = 3
"""Unchanged lines shown around a change."""
MOST_ROWS = 4_000
"""Rows of one diff that are shown."""
MOST_WORDS_IN = 100_000
"""Characters of a line above which it is compared as a whole."""
MOST_ALIGNED = 900
"""Pairs of lines that are weighed to find which took whose place."""
COST_OF_PAIR, COST_OF_CHARACTER = 1_000, 40
"""Steps of the budget for cutting two lines into words, before these are matched."""
LEAST_ALIKE = 0.3
"""Share of a pair of lines that is equal, below which no words are marked."""

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
# Words, spaces and single signs; scripts that do without spaces by character.
_UNSPACED = "\u0e00-\u0eff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff"
_WORDS = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|\s+|.")

# Parts, lines and rows are not frozen: a diff has ten thousand of them, and frozen ones
# take three times as long to make.


@dataclass(slots=True)
class Part:
    """A run of characters within a line; `changed` ones are set off.

    `mark` says what to show for something that cannot be seen.
    """

    text: str
    changed: bool = False
    mark: str = ""


@dataclass(slots=True)
class Line:
    """A line of a diff: `same`, `added`, `removed`; or `count` lines that are left out.

    `fold` stands for lines that did not change, `cut` for the end of a long diff. `old`
    and `new` are line numbers from 1, 0 on the side that does not have the line.
    """

    op: str
    parts: tuple[Part, ...] = ()
    count: int = 0
    old: int = 0
    new: int = 0


@dataclass(slots=True)
class Row:
    """What stands side by side: `same`, `changed`, `added`, `removed`, `fold`, `cut`.

    A side without a line is None; of `fold` and `cut` both are, and `count` says how
    many lines are left out.
    """

    op: str
    left: Line | None = None
    right: Line | None = None
    count: int = 0


def diff(
    old: str, new: str, *, context: int | None = CONTEXT, most: int = MOST_ROWS
) -> list[Line]:
    """Return the lines that turn `old` into `new`, in one column; see `compare`."""
    return unified(compare(old, new, context=context, most=most))


def compare(
    old: str, new: str, *, context: int | None = CONTEXT, most: int = MOST_ROWS
) -> list[Row]:
    """Return the rows that turn `old` into `new`; [] when nothing differs.

    `context` is the number of unchanged lines around a change, None for all of them;
    after `most` rows the rest is cut.
    """
    if old == new:
        return []
    sides = _Sides(_LINES.findall(old), _LINES.findall(new), Budget())
    rows: list[Row] = []
    left_out = 0
    for op, a1, a2, b1, b2 in opcodes(sides.before, sides.after, sides.budget):
        if len(rows) >= most:
            left_out += max(a2 - a1, b2 - b1)
        elif op == "equal":
            is_last = a2 == len(sides.before)
            hidden = _hidden(a2 - a1, context, first=not rows, last=is_last)
            rows += [sides.same(a1 + n, b1 + n) for n in range(hidden.start)]
            if hidden:
                rows.append(Row("fold", count=len(hidden)))
            rows += [sides.same(a1 + n, b1 + n) for n in range(hidden.stop, a2 - a1)]
        else:
            pairs = _paired(sides.before[a1:a2], sides.after[b1:b2], sides.budget)
            shown = pairs[: most - len(rows)]
            left_out += len(pairs) - len(shown)
            rows += [sides.changed(_at(a1, old), _at(b1, new)) for old, new in shown]
    if len(rows) > most or left_out:
        left_out += sum(row.count or 1 for row in rows[most:])
        rows[most:] = [Row("cut", count=left_out)]
    return rows


def unified(rows: Iterable[Row]) -> list[Line]:
    """Return the rows in one column: of each change first what went, then what came."""
    lines: list[Line] = []
    came: list[Line] = []
    for row in rows:
        if row.op in {"changed", "removed", "added"}:
            if row.left:
                lines.append(row.left)
            if row.right:
                came.append(row.right)
            continue
        lines += came
        came = []
        lines.append(row.left or Line(row.op, count=row.count))
    return lines + came


def _at(start: int, offset: int | None) -> int | None:
    return None if offset is None else start + offset


def _hidden(count: int, context: int | None, *, first: bool, last: bool) -> range:
    """Return which of so many unchanged lines are far enough from changes to fold."""
    if context is None:
        return range(0)
    head = 0 if first else context
    end = count - (0 if last else context)
    return range(head, end) if end - head > 1 else range(0)


def _paired(
    removed: Sequence[str], added: Sequence[str], budget: Budget
) -> list[tuple[int | None, int | None]]:
    """Return which line took the place of which: positions, None without a partner."""
    lines = max(len(removed), len(added))
    if len(removed) == len(added):
        return [(n, n) for n in range(lines)]
    size = len(removed) * len(added)
    if not 0 < size <= MOST_ALIGNED or not budget.pay(size * 200):
        return [
            (n if n < len(removed) else None, n if n < len(added) else None)
            for n in range(lines)
        ]
    return _aligned(removed, added)


def _aligned(
    removed: Sequence[str], added: Sequence[str]
) -> list[tuple[int | None, int | None]]:
    """Pair the lines that are most alike, in order: the best path through a table."""
    words = (
        [set(line.split()) for line in removed],
        [set(line.split()) for line in added],
    )
    best = [[0.0] * (len(added) + 1) for _ in range(len(removed) + 1)]
    for i in range(len(removed) - 1, -1, -1):
        for j in range(len(added) - 1, -1, -1):
            alike = _overlap(words[0][i], words[1][j])
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike)
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(removed) and j < len(added):
        if best[i][j] == best[i + 1][j]:
            pairs.append((i, None))
            i += 1
        elif best[i][j] == best[i][j + 1]:
            pairs.append((None, j))
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    pairs += [(n, None) for n in range(i, len(removed))]
    pairs += [(None, n) for n in range(j, len(added))]
    return pairs


def _overlap(a: set[str], b: set[str]) -> float:
    """Return the share of words in common, 0 when too few to be the same line."""
    share = 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
    return share if share >= LEAST_ALIKE else 0.0


@dataclass(slots=True)
class _Sides:
    """Both texts as lines, and what may still be spent on comparing them."""

    before: list[str]
    after: list[str]
    budget: Budget

    def same(self, old: int, new: int) -> Row:
        """Return the row of a line that both have."""
        text = self.before[old].removesuffix("\n")
        parts = tuple([Part(run, mark=mark) for run, mark in pieces(text)])
        line = Line("same", parts, old=old + 1, new=new + 1)
        return Row("same", line, line)

    def changed(self, old: int | None, new: int | None) -> Row:
        """Return the row of a line that went, came, or became another."""
        left = None if old is None else self.before[old]
        right = None if new is None else self.after[new]
        matched = None
        if left is not None and right is not None:
            matched = _matched(left, right, self.budget)
        removed = added = None
        if left is not None and old is not None:
            parts = matched[0] if matched else _shown([(left, False)])
            removed = Line("removed", parts + self._end(left), old=old + 1)
        if right is not None and new is not None:
            parts = matched[1] if matched else _shown([(right, False)])
            added = Line("added", parts + self._end(right), new=new + 1)
        op = "added" if left is None else "removed" if right is None else "changed"
        return Row(op, removed, added)

    def _end(self, line: str) -> tuple[Part, ...]:
        """Say that no line end follows, when the other text has one."""
        if line.endswith("\n") or not (self.before and self.after):
            return ()
        if self.before[-1].endswith("\n") == self.after[-1].endswith("\n"):
            return ()
        return (Part("", changed=True, mark="no line end"),)


def _matched(
    old: str, new: str, budget: Budget
) -> tuple[tuple[Part, ...], tuple[Part, ...]] | None:
    """Return both lines cut into parts, the words that differ marked; None for lines
    that are too long, too different, or over the budget.
    """
    if max(len(old), len(new)) > MOST_WORDS_IN:
        return None
    if not budget.pay(COST_OF_PAIR):
        return None
    head, tail = _edges(old, new)
    old_end, new_end = len(old) - tail, len(new) - tail
    if not budget.pay(COST_OF_CHARACTER * (old_end + new_end - 2 * head)):
        return None
    a, b = _WORDS.findall(old, head, old_end), _WORDS.findall(new, head, new_end)
    least = LEAST_ALIKE * max(len(old.strip()), len(new.strip()))
    equal = len(old[:head].lstrip()) + len(old[old_end:].rstrip())
    shared = set(a).intersection(b)
    if equal + sum(map(len, filter(shared.__contains__, a))) < least:
        return None  # whatever the order
    removed = [(old[:head], False)]
    added = [(new[:head], False)]
    for op, a1, a2, b1, b2 in opcodes(a, b, budget):
        texts = "".join(a[a1:a2]), "".join(b[b1:b2])
        differs = op != "equal"
        removed.append((texts[0], differs))
        added.append((texts[1], differs))
        equal += 0 if differs else len(texts[0].strip())
    if equal < least:
        return None
    removed.append((old[old_end:], False))
    added.append((new[new_end:], False))
    return _shown(removed), _shown(added)


def _edges(old: str, new: str) -> tuple[int, int]:
    """Return how many characters both begin and end with, cut beside a blank.

    There a word ends, or begins, in both: what lies between is compared as it would
    be in the whole lines.
    """
    shorter = min(len(old), len(new))
    places = range(shorter)
    head = bisect_left(places, 1, key=lambda n: not old.startswith(new[: n + 1]))
    last = len(new) - 1
    places = range(shorter - head)
    tail = bisect_left(places, 1, key=lambda n: not old.endswith(new[last - n :]))
    words = new[: max(0, new.rfind(" ", 0, head))].rstrip()
    _, _, last_words = new[len(new) - tail :].partition(" ")
    return len(words), len(last_words.lstrip())


def _shown(texts: list[tuple[str, bool]]) -> tuple[Part, ...]:
    """Return the parts of a line, what cannot be seen marked, blanks at its end too."""
    whole = "".join(text for text, _ in texts).removesuffix("\n")
    end = len(whole.rstrip(" \t"))
    parts = [
        Part(text, changed, mark)
        for run, changed in _cut(texts, end)
        for text, mark in pieces(run)
    ]
    if blank := whole[end:]:
        mark = f"{len(blank)} blank{'s' if len(blank) > 1 else ''} at the end"
        parts.append(Part(blank, changed=True, mark=mark))
    return tuple(parts)


def _cut(texts: list[tuple[str, bool]], end: int) -> Iterator[tuple[str, bool]]:
    """Yield the runs up to the end."""
    for text, changed in texts:
        run = text[: max(0, end)]
        end -= len(text)
        if run:
            yield run, changed
