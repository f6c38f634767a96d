"""An installation that is filled and then visited, and what the server takes for it.

On SQLite, which is what the budgets are for. Times are the server's own, those of the
client stand beside them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.engines import SQLITE
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running
from bench.timing import Timings, one_by_one
from bench.visits import Answer

WARM_UP = 5

Ask = Callable[[], Answer]


@dataclass(frozen=True, slots=True)
class Budget:
    """Milliseconds of server time: median and 95th percentile; None for no target."""

    p50: float | None = None
    p95: float | None = None


class Scenario(ABC):
    """What is done with one server, and the figures of it."""

    def __init__(self, server: Server, section: Section, *, calls: int) -> None:
        self._server = server
        self._section = section
        self._calls = calls

    @abstractmethod
    def run(self) -> None:
        """Fill the installation, and measure it."""

    def _again(self, ask: Ask) -> list[Ask]:
        return [ask] * self._calls

    def _measure(self, what: str, asks: Sequence[Ask], budget: Budget) -> None:
        """Make some of the calls to warm up, the others to measure."""
        for ask in asks[:WARM_UP]:
            ask()
        outcome = one_by_one(asks[WARM_UP:])
        if outcome.errors:
            raise outcome.errors[0]
        took = sorted(answer.server_s for answer in outcome.results)
        server = Timings(tuple(took), sum(took))
        for name, share, limit in (("p50", 0.5, budget.p50), ("p95", 0.95, budget.p95)):
            self._section.add(
                f"{what}, {name}",
                server.ms(share),
                "ms",
                at_most=limit,
                note=f"client {outcome.timings.ms(share):.1f} ms",
            )


def run_on_sqlite(
    name: str,
    scenario: Callable[[Server, Section, bool], Scenario],
    options: Options,
    report: Report,
) -> None:
    """Run a scenario on a fresh server, if SQLite is among what is measured."""
    if SQLITE not in options.engines:
        return
    section = report.section(f"{name} on {SQLITE}")
    with running(options.databases(SQLITE)) as server:
        scenario(server, section, options.quick).run()
