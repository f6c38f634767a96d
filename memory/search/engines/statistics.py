"""Collection statistics, remembered for a minute or until the collection has grown."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from memory.search.engines.base import Statistics

MAX_AGE_S = 60.0
MAX_GROWTH = 0.01
MAX_TOKENS = 50_000

FREQUENT = 2000
FREQUENT_SHARE = 0.05
"""A token in more texts than both the number and the share is very frequent."""


@dataclass(slots=True)
class _Known:
    newest: int
    since: float
    count: int
    average_length: float
    frequencies: dict[str, int] = field(default_factory=dict)

    def is_fresh(self, newest: int) -> bool:
        grown = abs(newest - self.newest)
        return (
            grown <= MAX_GROWTH * self.count
            and time.monotonic() - self.since <= MAX_AGE_S
            and len(self.frequencies) <= MAX_TOKENS
        )


@dataclass(frozen=True, slots=True)
class Counting:
    """How a database counts: each function is one query."""

    newest: Callable[[], int]
    totals: Callable[[], tuple[int, float]]
    frequencies: Callable[[Sequence[str]], dict[str, int]]
    is_private: Callable[[], bool]
    """Whether this thread may see rows that nobody else sees (yet)."""


class StatisticsCache:
    """Counts texts, their average length, and in how many of them a token is."""

    def __init__(self, counting: Counting) -> None:
        self._counting = counting
        self._lock = threading.Lock()
        self._known: _Known | None = None

    def about(self, tokens: Sequence[str]) -> Statistics:
        """Return the statistics, asking the database only for what is not known."""
        known = self._current()
        found = {token: known.frequencies.get(token, 0) for token in tokens}
        # What nobody wrote yet may be there by now: only what was there is remembered.
        missing = [token for token, frequency in found.items() if not frequency]
        if missing:
            counted = self._counting.frequencies(missing)
            found |= counted
            with self._lock:
                known.frequencies |= {name: n for name, n in counted.items() if n}
        return Statistics(known.count, known.average_length, found)

    def _current(self) -> _Known:
        newest = self._counting.newest()
        known = self._known
        private = self._counting.is_private()
        if known is not None and known.is_fresh(newest) and not private:
            return known
        count, average = self._counting.totals()
        known = _Known(newest, time.monotonic(), count, average)
        if not private:
            self._known = known
        return known


def telling(statistics: Statistics, limit: int) -> Statistics:
    """Return the statistics of the tokens worth looking up, the rarest first.

    Very frequent ones are left out when rarer ones bring enough candidates: they
    cost the most and tell the least.
    """
    frequent = max(FREQUENT, FREQUENT_SHARE * statistics.count)
    kept: dict[str, int] = {}
    for token, frequency in sorted(
        statistics.frequencies.items(), key=lambda entry: entry[1]
    ):
        if 0 < frequency <= frequent or (frequency and sum(kept.values()) < limit):
            kept[token] = frequency
    return replace(statistics, frequencies=kept)
