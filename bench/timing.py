"""Time many calls, one after the other or by several clients at once."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timings:
    """The seconds of each call, in ascending order, and of all together."""

    calls: tuple[float, ...]
    wall: float

    def ms(self, share: float) -> float:
        """Return the percentile of a share (0.5 is the median) in milliseconds."""
        at = min(int(len(self.calls) * share), len(self.calls) - 1)
        return self.calls[at] * 1000

    @property
    def per_second(self) -> float:
        """Return how many calls ended in a second."""
        return len(self.calls) / self.wall


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What the calls returned or raised, and how long each of the successful took."""

    results: list[T]
    errors: list[Exception]
    timings: Timings


def one_by_one(calls: Sequence[Callable[[], T]]) -> Outcome[T]:
    """Make the calls in order."""
    return at_once([calls])


def at_once(clients: Sequence[Sequence[Callable[[], T]]]) -> Outcome[T]:
    """Make the calls of each client in order, all clients at the same time."""
    results: list[T] = []
    errors: list[Exception] = []
    seconds: list[float] = []
    begin = threading.Barrier(len(clients) + 1)

    def work(calls: Sequence[Callable[[], T]]) -> None:
        begin.wait()
        for call in calls:
            start = time.perf_counter()
            try:
                result = call()
            except Exception as error:  # noqa: BLE001 - counted and reported
                errors.append(error)
                continue
            seconds.append(time.perf_counter() - start)
            results.append(result)

    threads = [threading.Thread(target=work, args=(calls,)) for calls in clients]
    for thread in threads:
        thread.start()
    begin.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    wall = time.perf_counter() - start
    return Outcome(results, errors, Timings(tuple(sorted(seconds)), wall))
