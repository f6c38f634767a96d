"""The tags in use, as somebody sees them."""

from dataclasses import dataclass

from django.db.models import Count

from accounts.actors import Actor
from memory.access import readable
from wiki.models import PageTag


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag and how many readable pages carry it."""

    name: str
    pages: int


@dataclass(frozen=True, slots=True)
class Tags:
    """Tags in order; `next` continues after them, "" at the end."""

    results: tuple[TagCount, ...]
    next: str


def tags(actor: Actor, *, after: str = "", limit: int = 200) -> Tags:
    """Return the tags of readable pages, those after `after`."""
    readable_tags = PageTag.objects.filter(
        readable(actor, indexed=False), name__gt=after
    )
    rows = list(
        readable_tags.values_list("name")
        .annotate(pages=Count("*"))  # by the index alone: each page once
        .order_by("name")[: limit + 1]
    )
    shown = tuple(TagCount(name, pages) for name, pages in rows[:limit])
    return Tags(shown, next=shown[-1].name if len(rows) > limit else "")
