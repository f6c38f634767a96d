"""Which records may say the same: groups of a few, for a model to look at. Pure.

Candidates are alike by their vectors or share most of their words. Those whose numbers,
dates, addresses or names contradict each other, or of which only one denies something,
never meet: a model is not asked whether port 5432 is port 5433.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.lifecycle.particulars import content_words, particulars, polarity, tokens_of
from memory.lifecycle.scanning import HARD, TokenKind

ALIKE = 0.8
"""Cosine of two vectors from which on their records are candidates."""
SHARED = 0.6
"""Of the shorter record's words, how many the other has, for the same."""
FEWEST_WORDS = 3
NEIGHBOURS = 8
"""The most alike that are looked at, of each record."""
LARGEST = 6
"""Records of a group."""

_RARE_WORDS, _LONGEST_LIST = 5, 200
_BLOCK = 512

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Note:
    """A record, as far as comparing goes; `vector` is of length 1, or there is none."""

    pk: int
    kind: str
    domain: str
    text: str
    vector: NDArray[np.float32] | None = None


def groups(
    notes: Sequence[Note],
    *,
    seeds: frozenset[int],
    apart: Callable[[Note, Note], bool],
) -> list[list[Note]]:
    """Return groups of candidates, none of which is in two of them.

    Each has a record of `seeds` (ids). `apart` says which two must not meet, whatever
    they say. In a group every two are candidates.
    """
    alike = _alike(notes, seeds, apart)
    found: list[list[Note]] = []
    taken: set[int] = set()
    for index, note in enumerate(notes):
        if note.pk not in seeds or index in taken:
            continue
        group = [index]
        for other in alike[index]:
            free = other not in taken and len(group) < LARGEST
            if free and all(_meet(member, other, alike) for member in group[1:]):
                group.append(other)
        if len(group) > 1:
            taken.update(group)
            found.append([notes[member] for member in sorted(group)])
    return found


@dataclass(frozen=True, slots=True)
class _Said:
    """What a text says exactly, by sort, and whether it denies something."""

    by_sort: dict[str, frozenset[str]]
    denies: bool


def _agree(one: _Said, other: _Said) -> bool:
    """Say whether two texts could become one without hiding a difference.

    Of each sort - times, numbers of a unit, names, ... - one text has what the other
    has, and perhaps more.
    """
    mine, theirs = one.by_sort, other.by_sort
    return one.denies == other.denies and all(
        mine[sort] <= theirs[sort] or theirs[sort] <= mine[sort]
        for sort in mine.keys() & theirs.keys()
    )


def _meet(one: int, other: int, alike: dict[int, list[int]]) -> bool:
    return other in alike[one] or one in alike[other]


def _alike(
    notes: Sequence[Note],
    seeds: frozenset[int],
    apart: Callable[[Note, Note], bool],
) -> dict[int, list[int]]:
    """Return the candidates of each seed by index, the most alike first."""
    places = [at for at, note in enumerate(notes) if note.pk in seeds]
    scores: dict[int, dict[int, float]] = defaultdict(dict)
    for one, other, score in (*_by_vectors(notes, places), *_by_words(notes, places)):
        scores[one][other] = max(score, scores[one].get(other, 0.0))
    said: dict[int, _Said] = {}
    for at in {at for one, others in scores.items() for at in (one, *others)}:
        said[at] = _said_in(notes[at].text)
    found: dict[int, list[int]] = defaultdict(list)
    for one, others in scores.items():
        for other in sorted(others, key=lambda at: -others[at])[:NEIGHBOURS]:
            a, b = notes[one], notes[other]
            agree = _same_subject(a, b) and _agree(said[one], said[other])
            if agree and not apart(a, b):
                found[one].append(other)
    return found


def _same_subject(one: Note, other: Note) -> bool:
    same_domain = one.domain == other.domain or not (one.domain and other.domain)
    return one.kind == other.kind and same_domain


def _by_vectors(
    notes: Sequence[Note], seeds: Sequence[int]
) -> Iterator[tuple[int, int, float]]:
    """Yield (seed, other, cosine) of those that are alike by vector."""
    vectors = {at: n.vector for at, n in enumerate(notes) if n.vector is not None}
    if not vectors:
        return
    having, matrix = list(vectors), np.stack(list(vectors.values()))
    row_of = {at: row for row, at in enumerate(having)}
    wanted = [at for at in seeds if at in row_of]
    for start in range(0, len(wanted), _BLOCK):
        block = wanted[start : start + _BLOCK]
        cosines = matrix[[row_of[at] for at in block]] @ matrix.T
        for seed, row in zip(block, cosines, strict=True):
            row[row_of[seed]] = -1
            near = np.flatnonzero(row >= ALIKE)
            best = near[np.argsort(-row[near])][: 2 * NEIGHBOURS]
            yield from ((seed, having[at], float(row[at])) for at in best)


def _by_words(
    notes: Sequence[Note], seeds: Sequence[int]
) -> Iterator[tuple[int, int, float]]:
    """Yield (seed, other, share) of those that have most words in common.

    Two such share one of the seed's rarest words; very frequent ones are passed over.
    """
    words = [content_words(note.text) for note in notes]
    having: dict[str, list[int]] = defaultdict(list)
    for at, its in enumerate(words):
        for word in its:
            having[word].append(at)
    for seed in seeds:
        mine = words[seed]
        rare = sorted(mine, key=lambda word: (len(having[word]), word))[:_RARE_WORDS]
        lists = (having[w] for w in rare if len(having[w]) <= _LONGEST_LIST)
        for other in {at for places in lists for at in places} - {seed}:
            shorter = min(len(mine), len(words[other]))
            share = len(mine & words[other]) / shorter if shorter else 0.0
            if shorter >= FEWEST_WORDS and share >= SHARED:
                yield seed, other, share


def _said_in(text: str) -> _Said:
    """Return the particulars of a text by what they are; numbers by their unit."""
    found: dict[str, set[str]] = defaultdict(set)
    hard = set()
    for token in tokens_of(text):
        if token.kind in HARD:
            is_number = token.kind is TokenKind.NUMBER
            unit = token.text.partition(" ")[2] if is_number else ""
            found[f"{token.kind} {unit}"].add(token.text)
            hard.add(token.text)
    found["name"] = set(particulars(text) - hard)
    by_sort = {sort: frozenset(values) for sort, values in found.items()}
    return _Said(by_sort, bool(polarity(text)))
