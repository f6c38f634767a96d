"""What a search engine offers: keyword entries and vectors, ranked within a queryset.

An engine never sees an actor. It ranks what is permitted, a queryset that is cut down
already to what the actor may read, so it cannot widen anybody's view.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memory.embeddings import Vector

if TYPE_CHECKING:
    from memory.search.engines.permitted import Permitted

Ranked = list[tuple[int, float]]
"""(row id, score) pairs, best first."""
Entries = Sequence[tuple[int, Sequence[str]]]
"""(row id, tokens of the analyser) pairs."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of a collection of texts.

    `frequencies` has for each token asked about the number of texts that contain it.
    """

    count: int
    average_length: float
    frequencies: dict[str, int]


class Similarities(Protocol):
    """The cosines of one question with the windows of all chunks.

    A chunk's is that of its best window, right to the third digit: it may come from
    quantised vectors.
    """

    def nearest(self, permitted: "Permitted", limit: int) -> Ranked:
        """Return the nearest permitted chunks."""
        ...

    def of(self, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosine of each chunk that has vectors."""
        ...


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

    def wants_upkeep(self) -> bool:
        """Say whether `maintain` should not wait for the night."""
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
        self, permitted: "Permitted", statistics: Statistics, limit: int
    ) -> Ranked:
        """Return the permitted chunks that contain any of its tokens, best first.

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

    def similarities(self, vector: Vector, model_id: int) -> Similarities:
        """Return how near the windows of a model are to a question's vector."""
        ...
