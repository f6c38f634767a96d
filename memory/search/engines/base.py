"""What a search engine offers: keyword entries and vectors, ranked within a queryset.

An engine never sees an actor. It ranks what a queryset holds, which is already cut down
to what the actor may read, so it cannot widen anybody's view.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.models import QuerySet

from memory.embeddings import Vector

Ranked = list[tuple[int, float]]
"""(row id, score) pairs, best first."""
Entries = Sequence[tuple[int, Sequence[str]]]
"""(row id, tokens of the analyser) pairs."""
Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of a collection of texts.

    `frequencies` has for each token asked about the number of texts that contain it.
    """

    count: int
    average_length: float
    frequencies: dict[str, int]


class Engine(Protocol):
    """The keyword index and the vectors of one database.

    Tokens are those of `memory.analysis`, as the
    analyser gives them; `words_of` gives them back as `fts_text` writes them.
    """

    # --- structures ---

    def prepare(self) -> None:
        """Create what is missing of the index structures. May run at any time."""
        ...

    def check(self) -> list[str]:
        """Return what is wrong with the index structures, a sentence each."""
        ...

    def maintain(self) -> None:
        """Do the slow things that keep searches quick, outside any transaction."""
        ...

    def prefetch(self, model_id: int) -> None:
        """Load what the first search by vector would otherwise wait for."""
        ...

    # --- writing, inside the caller's transaction ---

    def index_chunks(self, entries: Entries) -> None:
        """Replace the keyword entries of chunks. They vanish with their chunks."""
        ...

    # --- words ---

    def keyword_chunks(
        self, queryset: Rows, tokens: Sequence[str], limit: int
    ) -> Ranked:
        """Return the chunks of the queryset that contain any token, the best first.

        Scores rise with BM25 and choose candidates; engines differ in their details.
        """
        ...

    def statistics(self, tokens: Sequence[str]) -> Statistics:
        """Return the statistics of the chunks, at most a minute old."""
        ...

    def words_of(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return the tokens of chunks as `fts_text` writes them, in order."""
        ...

    # --- vectors ---

    def nearest(
        self, queryset: Rows, vector: Vector, model_id: int, limit: int
    ) -> Ranked:
        """Return the chunks of the queryset by the cosine of their best window."""
        ...

    def cosines_of(
        self, chunk_ids: Sequence[int], vector: Vector, model_id: int
    ) -> dict[int, float]:
        """Return the cosine of the best window of each chunk that has vectors.

        Right to the third digit: it may come from quantised vectors.
        """
        ...

    def vectors_of(self, chunk_ids: Sequence[int], model_id: int) -> dict[int, Vector]:
        """Return the windows of each chunk that has vectors, shape (windows, d)."""
        ...
