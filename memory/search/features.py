"""What speaks for each candidate: keywords and similarity, alone and with neighbours.

A passage is a chunk with its words. Passages of one group (a sequence of records, or the
chunks of one record) are neighbours in the order of their positions. Pure.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.analysis import COMPOUND_WEIGHT, STEM_WEIGHT, QueryTerm, fts_token

K1, B = 0.9, 0.4
"""Saturation and length of BM25; measured, the usual 1.2 and 0.75 are worse here."""
REACH = 2
"""How many neighbours to each side a window has."""
WINDOW_WORDS = 450
"""A window is not larger than about one chunk: full chunks stand alone."""

Floats = NDArray[np.float64]


class Statistics(Protocol):
    """What BM25 needs to know of the collection; frequencies are by analyser token."""

    @property
    def count(self) -> int: ...
    @property
    def average_length(self) -> float: ...
    @property
    def frequencies(self) -> Mapping[str, int]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk as the engines give it; `words` as `fts_token` writes them.

    `cosine` is that of its best window with the question, None without a vector.
    `decay` is what its age leaves of its relevance, 0..1.
    """

    id: int
    record: int
    group: Hashable
    position: int
    words: Sequence[str]
    cosine: float | None
    text_hash: str
    decay: float = 1.0
    likeness: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage with its features; `arms` are the scores to fuse, by name.

    `coverage` is the share of the query's terms that the passage contains, `idf_share`
    the same with rare terms counting more.
    """

    id: int
    record: int
    text_hash: str
    arms: Mapping[str, float]
    cosine: float | None
    coverage: float
    idf_share: float
    decay: float


def describe(
    passages: Sequence[Passage], terms: Sequence[QueryTerm], statistics: Statistics
) -> list[Candidate]:
    """Return the passages with their features, in the same order."""
    if not passages:
        return []
    lengths = np.array([len(passage.words) for passage in passages], dtype=np.float64)
    words = _Words(passages, terms, statistics)
    windows = _windows(passages, lengths)
    groups = _groups(passages)
    arms: dict[str, Floats] = {}
    if terms:
        average = max(statistics.average_length, 1.0)
        whole = groups.T @ words.counts
        arms["keyword"] = words.bm25(words.counts, lengths / average)
        arms["window_keyword"] = words.bm25(
            windows @ words.counts, _relative(windows @ lengths)
        )
        arms["group_keyword"] = groups @ words.bm25(whole, np.ones(len(whole)))
    cosines = [passage.cosine for passage in passages]
    if any(cosine is not None for cosine in cosines):
        similarity = np.array([0.0 if c is None else c for c in cosines])
        arms["similarity"] = similarity
        arms["window_similarity"] = windows @ similarity / windows.sum(axis=1)
    if any(passage.likeness is not None for passage in passages):
        arms["likeness"] = np.array([p.likeness or 0.0 for p in passages])
    shown = words.shown
    weights = words.weights
    coverage = shown.mean(axis=1) if terms else np.zeros(len(passages))
    idf_share = shown @ weights / weights.sum() if terms else np.zeros(len(passages))
    return [
        Candidate(
            id=passage.id,
            record=passage.record,
            text_hash=passage.text_hash,
            arms={name: float(values[row]) for name, values in arms.items()},
            cosine=passage.cosine,
            coverage=float(coverage[row]),
            idf_share=float(idf_share[row]),
            decay=passage.decay,
        )
        for row, passage in enumerate(passages)
    ]


class _Words:
    """How often each word of the query is in each passage, and what that is worth."""

    def __init__(
        self,
        passages: Sequence[Passage],
        terms: Sequence[QueryTerm],
        statistics: Statistics,
    ) -> None:
        self._terms = terms
        self._columns = {
            token: column
            for column, token in enumerate(
                dict.fromkeys(token for term in terms for token in term.tokens)
            )
        }
        self._documents = max(statistics.count, 1)
        self._frequencies = statistics.frequencies
        self.counts = self._count(passages)
        self.weights = np.array([self._weight(term) for term in terms])
        self.shown = self._shown()

    def _count(self, passages: Sequence[Passage]) -> Floats:
        """Return the count of each word, shape (passages, words)."""
        written = {fts_token(token): c for token, c in self._columns.items()}
        counts = np.zeros((len(passages), len(written)))
        for row, passage in enumerate(passages):
            for word, count in Counter(
                filter(written.__contains__, passage.words)
            ).items():
                counts[row, written[word]] = count
        return counts

    def _idf(self, frequency: int) -> float:
        """Return the inverse document frequency (Robertson and Sparck Jones, +1)."""
        frequency = min(frequency, self._documents)
        rest = self._documents - frequency
        return float(np.log1p((rest + 0.5) / (frequency + 0.5)))

    def _weight(self, term: QueryTerm) -> float:
        """Return the IDF of a term: that of its most frequent form."""
        return self._idf(
            max(
                self._frequencies.get(token, 0)
                for token, weight in term.forms
                if weight >= STEM_WEIGHT
            )
        )

    def _shown(self) -> NDArray[np.bool_]:
        """Return which passage contains which term, shape (passages, terms)."""
        shown = np.zeros((len(self.counts), len(self._terms)), dtype=bool)
        present = self.counts > 0
        for column, term in enumerate(self._terms):
            forms = [
                self._columns[token]
                for token, weight in term.forms
                if weight >= COMPOUND_WEIGHT
            ]
            shown[:, column] = present[:, forms].any(axis=1)
            if term.parts:
                parts = [self._columns[token] for token in term.parts]
                shown[:, column] |= present[:, parts].all(axis=1)
        return shown

    def bm25(self, counts: Floats, relative_lengths: Floats) -> Floats:
        """Return Okapi BM25 over terms; the forms of a term are one word to it."""
        norm = K1 * (1 - B + B * relative_lengths)
        scores = np.zeros(len(counts))
        for term, weight in zip(self._terms, self.weights, strict=True):
            forms = [self._columns[token] for token, _ in term.forms]
            worth = np.array([form_weight for _, form_weight in term.forms])
            often = (counts[:, forms] * worth).max(axis=1)
            scores += weight * often * (K1 + 1) / (often + norm)
            for token in term.parts:
                often = counts[:, self._columns[token]]
                idf = self._idf(self._frequencies.get(token, 0))
                scores += idf * often * (K1 + 1) / (often + norm)
        return scores


def _relative(lengths: Floats) -> Floats:
    mean = lengths.mean()
    return lengths / mean if mean else np.ones(len(lengths))


def _groups(passages: Sequence[Passage]) -> Floats:
    """Return which passage is of which group, shape (passages, groups), 0 or 1."""
    columns: dict[Hashable, int] = {}
    for passage in passages:
        columns.setdefault(passage.group, len(columns))
    member = np.zeros((len(passages), len(columns)))
    for row, passage in enumerate(passages):
        member[row, columns[passage.group]] = 1
    return member


def _windows(passages: Sequence[Passage], lengths: Floats) -> Floats:
    """Return which passages are in the window of each, shape (n, n), 0 or 1.

    A window grows to both sides up to REACH positions, as long as it stays small.
    """
    places: dict[tuple[Hashable, int], list[int]] = defaultdict(list)
    for row, passage in enumerate(passages):
        places[passage.group, passage.position].append(row)
    windows = np.eye(len(passages))
    for row, passage in enumerate(passages):
        size = lengths[row]
        for distance in range(1, REACH + 1):
            beside = [
                other
                for step in (-distance, distance)
                for other in places.get((passage.group, passage.position + step), ())
            ]
            size += sum(lengths[other] for other in beside)
            if size > WINDOW_WORDS:
                break
            windows[row, beside] = 1
    return windows
