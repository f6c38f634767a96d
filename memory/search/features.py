"""What speaks for a candidate: words and similarity, its own and its neighbours'.

A passage is a chunk with its words. Passages of one group (a sequence of records, or
the chunks of one record) are neighbours in the order of their positions. Pure.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from memory.analysis import COMPOUND_WEIGHT, STEM_WEIGHT, QueryTerm, fts_token
from memory.lexemes import is_unspaced
from memory.search.windows import Floats, Numbers, Windows

K1, B = 0.9, 0.4
"""Saturation and length of BM25; measured, the usual 1.2 and 0.75 are worse here."""


class Statistics(Protocol):
    """What BM25 needs to know of the collection: frequencies, by analyser token."""

    @property
    def count(self) -> int: ...
    @property
    def frequencies(self) -> Mapping[str, int]: ...


class Passage(NamedTuple):
    """A chunk as the engines give it; `words` as `fts_text` writes them.

    `cosine` is that of its best window with the question, `likeness` that of its words
    (memory.likeness), None without vectors. `decay` is what its age leaves, 0..1.
    """

    id: int
    record: int
    group: Hashable
    position: int
    words: str
    cosine: float | None
    likeness: float | None
    text_hash: str
    decay: float


class Candidate(NamedTuple):
    """A passage with its features; `arms` are the scores to fuse, by name.

    `coverage` is the share of the query's terms that the passage contains, `idf_share`
    the same with rare terms counting more. `identifiers` is the share of the query's
    identifiers that it has, one half for those of which it has only the parts.
    """

    id: int
    record: int
    text_hash: str
    arms: Mapping[str, float]
    cosine: float | None
    coverage: float
    idf_share: float
    identifiers: float
    decay: float


def describe(
    passages: Sequence[Passage], terms: Sequence[QueryTerm], statistics: Statistics
) -> list[Candidate]:
    """Return the passages with their features, in the same order."""
    if not passages:
        return []
    words = _Words(passages, terms, statistics)
    group = _group_numbers(passages)
    windows = Windows(group, [p.position for p in passages], words.lengths)
    arms = _keyword_arms(words, group, windows) if terms else {}
    arms |= _similarity_arms(passages, windows)
    coverage, idf_share = words.coverage()
    identifiers = words.identifiers()
    rows = (
        np.stack(list(arms.values()), axis=1) if arms else np.zeros((len(passages), 0))
    )
    return [
        Candidate(
            id=passage.id,
            record=passage.record,
            text_hash=passage.text_hash,
            arms=dict(zip(arms, row, strict=True)),
            cosine=passage.cosine,
            coverage=covered,
            idf_share=share,
            identifiers=identified,
            decay=passage.decay,
        )
        for passage, row, covered, share, identified in zip(
            passages,
            rows.tolist(),
            coverage.tolist(),
            idf_share.tolist(),
            identifiers.tolist(),
            strict=True,
        )
    ]


def _keyword_arms(
    words: "_Words", group: Numbers, windows: Windows
) -> dict[str, Floats]:
    """Return BM25 of the passage, of its window, and of what is known of its group.

    Lengths are relative to those of the candidates: where short notes and long files
    share a database, its average says nothing about either.
    """
    lengths = words.lengths
    whole = np.zeros((group.max() + 1, words.counts.shape[1]))
    np.add.at(whole, group, words.counts)
    around = windows.sums(lengths)
    return {
        "keyword": words.bm25(words.counts, lengths / max(lengths.mean(), 1)),
        "window_keyword": words.bm25(
            windows.sums(words.counts), around / max(around.mean(), 1)
        ),
        "group_keyword": words.bm25(whole, np.ones(len(whole)))[group],
    }


def _similarity_arms(
    passages: Sequence[Passage], windows: Windows
) -> dict[str, Floats]:
    """Return how near the passage's meaning is, and the finer of its window's."""
    arms: dict[str, Floats] = {}
    finest = ""
    for name in ("similarity", "likeness"):
        given = [p.cosine if name == "similarity" else p.likeness for p in passages]
        known = [value for value in given if value is not None]
        if known:
            least = min(known)
            arms[name] = np.array(
                [least if value is None else value for value in given]
            )
            finest = name
    if finest:
        arms[f"window_{finest}"] = windows.means(arms[finest])
    return arms


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
        self.lengths = np.zeros(len(passages))
        self.counts = np.zeros((len(passages), len(self._columns)))
        self._count(passages)
        self._weights = np.array([self._weight(term) for term in terms])
        self._prepare_bm25()
        # A pair of unspaced characters that no text contains may be no word at all: it
        # is where two words of the question meet.
        self._asked = np.array(
            [self._is_known(term) or not is_unspaced(term.text) for term in terms],
            dtype=bool,
        )

    def _count(self, passages: Sequence[Passage]) -> None:
        """Count each word of the query in each passage, and all words."""
        written = {fts_token(token): c for token, c in self._columns.items()}
        for row, passage in enumerate(passages):
            words = passage.words.split()
            self.lengths[row] = len(words)
            for word in filter(written.__contains__, words):
                self.counts[row, written[word]] += 1

    def _prepare_bm25(self) -> None:
        """List what counts, each with its forms: the terms, then their parts."""
        self._forms: list[int] = []
        self._starts: list[int] = []
        worth, gains = [], []
        parts = [token for term in self._terms for token in term.parts]
        for forms, gain in [
            *zip([term.forms for term in self._terms], self._weights, strict=True),
            *(([(token, 1.0)], self._idf_of(token)) for token in parts),
        ]:
            self._starts.append(len(self._forms))
            self._forms += [self._columns[token] for token, _ in forms]
            worth += [form_worth for _, form_worth in forms]
            gains.append(gain)
        self._worth, self._gains = np.array(worth), np.array(gains)

    def _is_known(self, term: QueryTerm) -> bool:
        return any(self._frequencies.get(token, 0) for token in term.tokens)

    def _idf_of(self, token: str) -> float:
        return self._idf(self._frequencies.get(token, 0))

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

    def identifiers(self) -> Floats:
        """Return the share of identifiers each passage has; in parts counts half."""
        present = self.counts > 0
        shares = np.zeros(len(self.counts))
        terms = [term for term in self._terms if term.parts]
        for term in terms:
            forms = [self._columns[token] for token, _ in term.forms]
            parts = [self._columns[token] for token in term.parts]
            whole = present[:, forms].any(axis=1)
            shares += np.where(whole, 1.0, 0.5 * present[:, parts].all(axis=1))
        return shares / max(len(terms), 1)

    def coverage(self) -> tuple[Floats, Floats]:
        """Return the share of terms each passage contains, plain and by IDF."""
        if not self._asked.any():
            nothing = np.zeros(len(self.counts))
            return nothing, nothing
        shown, weights = self._shown()[:, self._asked], self._weights[self._asked]
        return shown.mean(axis=1), shown @ weights / weights.sum()

    def bm25(self, counts: Floats, relative_lengths: Floats) -> Floats:
        """Return Okapi BM25 over terms; the forms of a term are one word to it."""
        if not self._starts:
            return np.zeros(len(counts))
        worth = counts[:, self._forms] * self._worth
        often = np.maximum.reduceat(worth, self._starts, axis=1)
        norm = K1 * (1 - B + B * relative_lengths)[:, None]
        scores: Floats = (often * (K1 + 1) / (often + norm)) @ self._gains
        return scores


def _group_numbers(passages: Sequence[Passage]) -> Numbers:
    numbers: dict[Hashable, int] = {}
    for passage in passages:
        numbers.setdefault(passage.group, len(numbers))
    return np.array([numbers[passage.group] for passage in passages], dtype=np.int64)
