"""Small charts as numbers for an inline SVG; the page adds labels, a table. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 100
GAP = 0.22
"""Share of a bar's slot that stays empty."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: where it is drawn, what it means."""

    label: str
    value: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars over an axis that starts at zero, in a box that may be stretched."""

    bars: tuple[Bar, ...]
    highest: int
    total: int
    width: int = WIDTH
    height: int = HEIGHT


def bar_chart(points: Sequence[tuple[str, int]]) -> BarChart:
    """Return the chart of (label, value) pairs, values from zero up."""
    highest = max((value for _, value in points), default=0)
    slot = WIDTH / max(len(points), 1)
    bars = []
    for place, (label, value) in enumerate(points):
        height = HEIGHT * value / highest if highest else 0.0
        bars.append(
            Bar(
                label=label,
                value=value,
                x=round(place * slot + slot * GAP / 2, 2),
                y=round(HEIGHT - height, 2),
                width=round(slot * (1 - GAP), 2),
                height=round(height, 2),
            )
        )
    return BarChart(tuple(bars), highest, sum(value for _, value in points))
