"""One server filled step by step to 100,000 chunks: what each operation costs then."""

import json
import time
from dataclasses import dataclass

from bench import latency, writing
from bench.bare_search import EMBEDDING, PRODUCT, TOGETHER, WORDS
from bench.corpus import Corpus
from bench.engines import SQLITE
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running

STEPS = (4_124, 10_000, 100_000)
QUICK_STEPS = (500, 2_000)
FIRST = 100
"""Records that are there before anything is measured."""

TARGETS: dict[int, tuple[float | None, float | None, float | None]] = {
    4_124: (20, None, 100),
    10_000: (25, 60, None),
    100_000: (60, 120, None),
}
"""Milliseconds by records: median and 95th percentile alone, median of 8 clients."""

LARGE = 10_000
TIMES_BARE = 1.5
"""How many times its bare parts a search may take in a large collection."""
FLAT = 1.5
"""Growth from 10,000 to 100,000 records that still counts as none."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Medians at one size, in milliseconds."""

    search: float
    write: float
    get: float
    list: float


def run(options: Options, report: Report) -> None:
    """Measure on every engine."""
    for engine in options.engines:
        section = report.section(f"Speed on {engine}")
        with running(options.databases(engine)) as server:
            _Scenario(server, section, engine, quick=options.quick).run()


class _Scenario:
    def __init__(
        self, server: Server, section: Section, engine: str, *, quick: bool
    ) -> None:
        self._server = server
        self._section = section
        self._engine = engine
        self._quick = quick
        self._questions = latency.Questions(Corpus())
        self._loaded = 0

    def run(self) -> None:
        self._load_to(FIRST)
        small_mb = self._memory_mb()
        self._section.add(
            "web and workers, idle, model loaded", small_mb, "MB", at_most=1600
        )
        self._found_soon()
        costs = []
        for size in QUICK_STEPS if self._quick else STEPS:
            self._load_to(size)
            costs.append(self._costs(size))
        writing.report_parallel(
            self._section, self._server, each=10 if self._quick else 40
        )
        if not self._quick:
            self._growth(costs[-2], costs[-1])
        self._section.add(
            f"memory that {self._loaded:,} records add",
            self._memory_mb() - small_mb,
            "MB",
            at_most=400,
        )

    def _load_to(self, size: int) -> None:
        """Add records until there are so many."""
        arguments = [str(size - self._loaded), "--first", str(self._loaded)]
        output = self._server.run_beside("-m", "bench.loading", *arguments)
        loaded = json.loads(output)
        if size > FIRST:
            self._section.add(
                f"loading {loaded['records']:,} records beside the server",
                loaded["seconds"],
                "s",
                note=f"{loaded['chunks']:,} chunks, {loaded['windows']:,} vectors",
            )
        self._loaded = size

    def _found_soon(self) -> None:
        count = 5 if self._quick else 20
        missed = writing.missed_by_word(self._server, count=count)
        self._section.add("not found by word at once", missed, at_most=0)
        delays = writing.vector_delay_s(self._server, count=count)
        self._section.add(
            "vectors after a write, p95",
            delays[int(len(delays) * 0.95)],
            "s",
            at_most=3,
            note=f"median {delays[len(delays) // 2]:.2f} s",
        )

    def _costs(self, size: int) -> Costs:
        p50, p95, p50_together = TARGETS.get(size, (None, None, None))
        label = f"search, {size:,} records"
        count = 60 if self._quick else 200
        latency.warm(self._server, self._questions)
        before = self._server.web_processor_s()
        alone = latency.alone(self._server, self._questions.take(count))
        used = self._server.web_processor_s() - before
        latency.report(self._section, f"{label}, 1 client", alone, p50=p50, p95=p95)
        self._section.add(f"{label}, processor time of one", used / count * 1000, "ms")
        together = latency.together(self._server, self._questions.take(2 * count))
        latency.report(self._section, f"{label}, 8 clients", together, p50=p50_together)
        search = alone.timings.ms(0.5)
        if self._engine == SQLITE:
            self._compare_with_bare(size, label, search, count)
        write, write_p95 = writing.single_ms(self._server, count=count)
        self._section.add(
            f"write, {size:,} records, p50",
            write,
            "ms",
            at_most=15,
            note=f"p95 {write_p95:.1f} ms",
        )
        self._server.client().wait_indexed()
        get, listed = writing.read_ms(self._server, count=count)
        self._section.add(f"get, {size:,} records, p50", get, "ms")
        self._section.add(f"list of 50, {size:,} records, p50", listed, "ms")
        return Costs(search, write, get, listed)

    def _compare_with_bare(
        self, size: int, label: str, search_ms: float, count: int
    ) -> None:
        output = self._server.run_beside("-m", "bench.bare_search", str(count))
        bare = json.loads(output)
        parts = ", ".join(
            f"{name} {bare[name]:.1f}" for name in (EMBEDDING, PRODUCT, WORDS)
        )
        self._section.add(
            f"{label}, times the bare parts",
            search_ms / bare[TOGETHER],
            at_most=None if size < LARGE else TIMES_BARE,
            note=f"bare {bare[TOGETHER]:.1f} ms: {parts}",
        )

    def _growth(self, before: Costs, after: Costs) -> None:
        for name, limit in (
            ("search", 3.0),
            ("write", FLAT),
            ("get", FLAT),
            ("list", FLAT),
        ):
            factor = getattr(after, name) / getattr(before, name)
            self._section.add(
                f"{name}, growth of the median over the last step",
                factor,
                at_most=limit,
            )

    def _memory_mb(self) -> float:
        """Return what all processes take once they have settled after a restart."""
        self._server.client().wait_indexed()
        self._server.restart()
        latency.warm(self._server, self._questions)
        writing.single_ms(self._server, count=20)  # the worker too has worked once
        self._server.client().wait_indexed()
        time.sleep(2)
        return self._server.memory_mb()
