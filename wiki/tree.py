"""One level of the tree of pages, as somebody sees it."""

import itertools
from dataclasses import dataclass

from accounts.actors import Actor
from goclaw.lib import sql
from memory.access import readable_space_ids
from memory.models.ids import ids_sql, packed
from wiki import slugs

MOST = 200
"""Nodes of a level that are given at once."""

# With a page open, every level down to it is asked for. The space of a page is a term
# of a sum, so that SQLite looks for its slug and not for the space.
_LEVEL = """
SELECT level.path, level.pages, page.slug, page.title FROM (
    SELECT path_key, min(path) AS path, sum(pages) AS pages FROM wiki_sections
    WHERE parent_key = %s AND space_id IN ({ids}) AND pages > 0 AND path_key > %s
    GROUP BY path_key ORDER BY path_key LIMIT %s
) AS level
LEFT JOIN wiki_pages AS page ON page.slug_key = level.path_key
    AND page.deleted_at IS NULL AND page.space_id + 0 IN ({ids})
ORDER BY level.path_key
"""


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
    spaces = packed(readable_space_ids(actor))
    start = slugs.key(after) if after else ""
    statement = _LEVEL.format(ids=ids_sql())
    rows = sql.rows(statement, slugs.key(section), spaces, start, limit + 1, spaces)
    nodes = tuple(itertools.starmap(_node, rows[:limit]))
    return Level(nodes, next=nodes[-1].slug if len(rows) > limit else "")


def _node(path: str, pages: int, slug: str | None, title: str | None) -> Node:
    """Return the node of a row; the page may spell the path in its own way."""
    slug = slug or path
    return Node(
        slug=slug,
        name=slug.rpartition("/")[2],
        title=title,
        below=pages - (title is not None),
    )
