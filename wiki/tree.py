"""One level of the tree of pages, as somebody sees it."""

from dataclasses import dataclass

from django.db.models import Min, Sum

from accounts.actors import Actor
from memory.access import readable_space_ids
from wiki import slugs
from wiki.models import Page, Section
from wiki.models.fields import among_keys

MOST = 200
"""Nodes of a level that are given at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A place in the tree: a page, pages below, or both.

    `title` is None where there is no page, only pages below. `below` counts the pages
    below that the actor may read.
    """

    slug: str
    name: str
    title: str | None
    below: int


@dataclass(frozen=True, slots=True)
class Level:
    """Nodes in the order of their slugs; `next` continues after them, "" at the end."""

    nodes: tuple[Node, ...]
    next: str


def level(
    actor: Actor, section: str = "", *, after: str = "", limit: int = MOST
) -> Level:
    """Return the readable nodes right below a section, "" for the top."""
    parent_key = slugs.key(section)
    readable = Section.objects.filter(
        parent_key=parent_key, space_id__in=readable_space_ids(actor), pages__gt=0
    )
    if after:
        readable = readable.filter(path_key__gt=slugs.key(after))
    rows = list(
        readable.values_list("path_key")
        .annotate(Min("path"), Sum("pages"))
        .order_by("path_key")[: limit + 1]
    )
    pages = Page.objects.readable_by(actor).live()
    there = pages.filter(slug_key__in=among_keys(key for key, _, _ in rows[:limit]))
    titles = {
        key: (slug, title)
        for key, slug, title in there.values_list("slug_key", "slug", "title")
    }
    nodes = tuple(
        _node(titles.get(key, (path, None)), count) for key, path, count in rows[:limit]
    )
    return Level(nodes, next=nodes[-1].slug if len(rows) > limit else "")


def _node(page: tuple[str, str | None], pages: int) -> Node:
    slug, title = page
    return Node(
        slug=slug,
        name=slug.rpartition("/")[2],
        title=title,
        below=pages - (title is not None),
    )
