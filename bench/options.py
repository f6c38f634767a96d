"""What a run of the benchmark was asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.engines import Databases
from bench.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The size of the run, its data, and where its databases come from."""

    quick: bool
    data: Path | None
    engines: tuple[str, ...]
    databases: Databases


Part = Callable[[Options, Report], None]
"""One scenario: reports its figures as soon as it has them."""
