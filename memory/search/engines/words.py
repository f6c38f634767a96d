"""What the keyword indexes of both databases share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from django.db import connection

from goclaw.lib import sql
from memory.models.ids import ids_sql, packed
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.permitted import Permitted, Statement, best_permitted
from memory.search.engines.statistics import Counting, StatisticsCache, telling


class Words(ABC):
    """The words of the rows of `source`, in a table of their own."""

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.words = f"{name}_words"
        self.fts = f"{name}_fts"
        self._statistics = StatisticsCache(
            Counting(
                newest=self._newest,
                totals=self._totals,
                frequencies=self._frequencies,
                is_private=lambda: connection.in_atomic_block,
            )
        )

    @abstractmethod
    def prepare(self) -> None:
        """Create what is missing."""

    @abstractmethod
    def check(self) -> list[str]:
        """Return what is missing or broken, a sentence each."""

    @abstractmethod
    def put(self, entries: Entries) -> None:
        """Replace the words of the rows."""

    def search(
        self, permitted: Permitted, statistics: Statistics, limit: int
    ) -> Ranked:
        """Return the permitted rows that contain any of the tokens, best first."""
        asked = telling(statistics, limit)
        if not asked.frequencies:
            return []
        return best_permitted(
            permitted,
            limit,
            ranked=lambda size: self._ranked(asked, None, size),
            filtered=lambda within: self._ranked(asked, within, limit),
        )

    def statistics(self, tokens: Sequence[str]) -> Statistics:
        """Return how many rows there are, how long, and how many contain each token."""
        return self._statistics.about(tokens)

    def words_of(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the words of the rows in the order of their text."""
        words = self._sql("SELECT id, words FROM {words} WHERE id IN ")
        return dict(sql.prepared(f"{words} ({ids_sql()})", packed(ids)))

    @abstractmethod
    def _ranked(self, asked: Statistics, within: Statement | None, size: int) -> Ranked:
        """Return the rows with any of the tokens, of those that are within."""

    @abstractmethod
    def _frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        """Return in how many rows each token is."""

    def _newest(self) -> int:
        ((newest,),) = sql.prepared(self._sql("SELECT max(id) FROM {words}"))
        return newest or 0

    def _totals(self) -> tuple[int, float]:
        totals = self._sql("SELECT count(*), avg(length) FROM {words}")
        ((count, average),) = sql.rows(totals)
        return count, float(average or 0)

    def _sql(self, template: str) -> str:
        return template.format(words=self.words, fts=self.fts, source=self.source)
