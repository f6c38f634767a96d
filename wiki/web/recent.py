"""Recent changes as people read them: by day, one's saves in a row as one change.

The list is cut into pages of changes, not of saves, so that none falls apart.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone

from wiki.models import Revision
from wiki.models.revisions import RevisionQuerySet

SAVES = 50
"""The saves of a change that are listed; the page's history has them all."""


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody did to a page in a day without anybody in between."""

    newest: Revision
    """The last save, which says what the page became."""
    count: int
    """How many saves it was."""
    saves: Sequence[Revision]
    """The newest of them, the last one first; none for a single save."""

    @property
    def before(self) -> int:
        """Return the number of the revision that it began from; 0 for a new page."""
        return self.newest.number - self.count

    @property
    def unlisted(self) -> int:
        """Return how many saves are left out of the list."""
        return self.count - len(self.saves)


@dataclass(frozen=True, slots=True)
class Day:
    """The changes of a day in the reader's time zone."""

    date: date
    changes: Sequence[Change]


def last_saves(rows: RevisionQuerySet) -> RevisionQuerySet:
    """Return the last save of each change; `first` is the number of its first one."""
    until = _signed(Revision.objects.all()).filter(
        page=OuterRef("page"), number__lte=OuterRef("number")
    )
    firsts = until.filter(~Exists(_beside(-1))).order_by("-number").values("number")
    last = _signed(rows).filter(~Exists(_beside(+1)))
    return last.annotate(first=Subquery(firsts[:1]))


def days_of(last: Sequence[Revision]) -> list[Day]:
    """Return what `last_saves` gave, newest first, as the changes of days."""
    saves = _listed_saves([row for row in last if _count(row) > 1])
    changes = (Change(row, _count(row), saves[row.pk]) for row in last)
    days = groupby(changes, lambda change: _day_of(change.newest))
    return [Day(day, list(found)) for day, found in days]


def _signed(rows: RevisionQuerySet) -> RevisionQuerySet:
    """Return the rows with what the saves of one change have in common."""
    return rows.alias(writer=Coalesce("author_id", 0), day=TruncDate("created_at"))


def _beside(step: int) -> RevisionQuerySet:
    """Return the save that belongs to the same change as the outer one, beside it."""
    same = ("page", "origin", "writer", "day")
    return _signed(Revision.objects.all()).filter(
        Q(*((name, OuterRef(name)) for name in same)),
        number=OuterRef("number") + step,
    )


def _listed_saves(last: Sequence[Revision]) -> dict[int, list[Revision]]:
    """Return the newest saves of each change, by the key of its last one."""
    found: dict[int, list[Revision]] = defaultdict(list)
    if not last:
        return found
    wanted = Q()
    for row in last:
        from_number = max(_first(row), row.number - SAVES + 1)
        wanted |= Q(page=row.page_id, number__range=(from_number, row.number))
    of_page = defaultdict(list)
    for save in Revision.objects.filter(wanted).defer("body").order_by("-number"):
        of_page[save.page_id].append(save)
    for row in last:
        found[row.pk] = [
            save
            for save in of_page[row.page_id]
            if _first(row) <= save.number <= row.number
        ][:SAVES]
    return found


def _first(last: Revision) -> int:
    return int(last.first)  # type: ignore[attr-defined]  # annotated above


def _count(last: Revision) -> int:
    return last.number - _first(last) + 1


def _day_of(revision: Revision) -> date:
    return timezone.localtime(revision.created_at).date()
