"""Figures with their targets: a table for people, JSON for comparisons."""

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

OK, MISSED = "ok", "missed"
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number; `at_most` and `at_least` are its target, if it has one."""

    part: str
    what: str
    value: float
    unit: str = ""
    at_most: float | None = None
    at_least: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Return `ok`, `missed`, or nothing where there is no target."""
        if self.at_most is None and self.at_least is None:
            return ""
        within = self.at_most is None or self.value <= self.at_most
        enough = self.at_least is None or self.value >= self.at_least
        return OK if within and enough else MISSED

    @property
    def target(self) -> str:
        """Return the target as people write it."""
        low = None if self.at_least is None else f">= {_number(self.at_least)}"
        high = None if self.at_most is None else f"<= {_number(self.at_most)}"
        return " and ".join(text for text in (low, high) if text)

    def line(self) -> str:
        """Return one row of the table."""
        value = f"{_number(self.value)} {self.unit}".rstrip()
        row = f"{self.what:<58} {value:>15}  {self.target:<10} {self.verdict:<7}"
        return f"{row} {self.note}".rstrip()


class Section:
    """The figures of one part of the benchmark, printed as they come."""

    def __init__(self, part: str, figures: list[Figure]) -> None:
        self._part = part
        self._figures = figures
        print(f"\n{part}\n{'-' * len(part)}", flush=True)

    def add(
        self,
        what: str,
        value: float,
        unit: str = "",
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        note: str = "",
    ) -> None:
        """Note and print one figure."""
        figure = Figure(
            part=self._part,
            what=what,
            value=value,
            unit=unit,
            at_most=at_most,
            at_least=at_least,
            note=note,
        )
        self._figures.append(figure)
        print(figure.line(), flush=True)


class Report:
    """All figures of a run."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []

    def section(self, part: str) -> Section:
        """Begin the figures of a part."""
        return Section(part, self.figures)


def print_verdicts(figures: Sequence[Figure]) -> None:
    """Print how many targets were met, and those that were not."""
    missed = [figure for figure in figures if figure.verdict == MISSED]
    met = sum(figure.verdict == OK for figure in figures)
    print(f"\n{met} targets met, {len(missed)} missed")
    for figure in missed:
        print(f"  {figure.part}: {figure.line()}")


def save(figures: Sequence[Figure], *, quick: bool, seconds: float) -> Path:
    """Write all figures and the machine they were measured on; return the file."""
    RESULTS.mkdir(exist_ok=True)
    now = datetime.now(UTC)
    path = RESULTS / f"{now:%Y%m%dT%H%M%SZ}{'-quick' if quick else ''}.json"
    content = {
        "at": now.isoformat(),
        "quick": quick,
        "seconds": round(seconds, 1),
        "machine": machine(),
        "figures": [asdict(figure) | {"verdict": figure.verdict} for figure in figures],
    }
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def machine() -> dict[str, object]:
    """Return what the numbers depend on besides the program."""
    return {
        "processor": _processor(),
        "cores": psutil.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9),
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "load": psutil.getloadavg()[0],
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.processor()


def _number(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"
