"""Recent changes as people read them: by day, one's saves in a row as one change."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from wiki.models import Revision


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody did to a page without anybody in between, the newest save first."""

    revisions: Sequence[Revision]

    @property
    def newest(self) -> Revision:
        """Return the last save, which says what the page became."""
        return self.revisions[0]

    @property
    def before(self) -> int:
        """Return the number of the revision that it began from; 0 for a new page."""
        return self.revisions[-1].number - 1


@dataclass(frozen=True, slots=True)
class Day:
    """The changes of a day in the reader's time zone."""

    date: date
    changes: Sequence[Change]


def days_of(revisions: Iterable[Revision]) -> list[Day]:
    """Return revisions, which come newest first, as the changes of days."""
    days: list[tuple[date, list[list[Revision]]]] = []
    runs: dict[int, list[Revision]] = {}
    for revision in revisions:
        day = timezone.localtime(revision.created_at).date()
        if not days or days[-1][0] != day:
            days.append((day, []))
            runs = {}
        run = runs.get(revision.page_id)
        if run and _goes_on(run[-1], revision):
            run.append(revision)
        else:
            runs[revision.page_id] = run = [revision]
            days[-1][1].append(run)
    return [Day(day, [Change(run) for run in found]) for day, found in days]


def _goes_on(later: Revision, earlier: Revision) -> bool:
    return (
        earlier.number == later.number - 1
        and earlier.author_id == later.author_id
        and earlier.origin == later.origin
    )
