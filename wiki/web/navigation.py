"""Where one is in the wiki: the tree opened at a page, and the way down to it."""

from collections.abc import Iterator
from dataclasses import dataclass

from accounts.actors import Actor
from wiki import slugs, tree
from wiki.models import Page
from wiki.tree import Node


@dataclass(frozen=True, slots=True)
class Item:
    """A node as it is drawn; `branch` holds what is below it when it is open."""

    node: Node
    is_current: bool
    branch: "Branch | None"


@dataclass(frozen=True, slots=True)
class Branch:
    """One level of the tree; more follow after the slug `next`, none if it is empty."""

    section: str
    items: tuple[Item, ...]
    next: str


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step of the way to a page."""

    slug: str
    label: str


def branch(
    actor: Actor, section: str = "", *, current: str = "", after: str = ""
) -> Branch:
    """Return a level of the tree, open along the way to the current page."""
    level = tree.level(actor, section, after=after)
    items = tuple(_item(actor, node, current) for node in level.nodes)
    return Branch(section, items, level.next)


def crumbs(actor: Actor, slug: str) -> Iterator[Crumb]:
    """Yield the places above a slug, from the top; titles only of readable pages."""
    above = slugs.ancestors(slug)
    keys = {slugs.key(place): place for place in above}
    pages = Page.objects.readable_by(actor).live().filter(slug_key__in=keys)
    titles = dict(pages.values_list("slug_key", "title")) if keys else {}
    for key, place in keys.items():
        yield Crumb(place, titles.get(key, place.rpartition("/")[2]))


def _item(actor: Actor, node: Node, current: str) -> Item:
    is_on_the_way = bool(current) and slugs.is_under(current, node.slug)
    below = None
    if node.below and is_on_the_way:
        below = branch(actor, node.slug, current=current)
    return Item(node, is_current=node.slug == current, branch=below)
