"""The checks, run one after the other."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.utils.module_loading import autodiscover_modules

SHOWN = 5

Find = Callable[[], Iterable[object]]
Repair = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something that can be wrong."""

    name: str
    problem: str
    """What each thing found is, as it is told: `records without chunks`."""
    find: Find
    """Returns what is wrong, by name or number."""
    repair: Repair | None = None
    """Mends all that `find` finds; None where a person has to decide."""
    advice: str = ""
    """What a person can do about it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, and what was left of it after a repair."""

    name: str
    problem: str
    count: int
    examples: list[str]
    left: int
    advice: str

    @property
    def repaired(self) -> int:
        """Return how many were mended."""
        return self.count - self.left


_checks: list[Check] = []


def register(check: Check) -> None:
    """Add a check to the list."""
    _checks.append(check)


def run(*, repair: bool, seen: Callable[[str], None]) -> Iterator[Finding]:
    """Yield what every check finds; with `repair` mend what can be mended, and look
    once more.

    Every repair may run beside a server, in short transactions.
    """
    autodiscover_modules("checking")
    for check in _checks:
        seen(check.name)
        found = [str(one) for one in check.find()]
        left = len(found)
        if found and repair and check.repair is not None:
            check.repair()
            left = len(list(check.find()))
        mendable = "" if check.repair is None else "`--repair` mends it."
        yield Finding(
            check.name,
            check.problem,
            len(found),
            found[:SHOWN],
            left,
            check.advice or mendable,
        )
