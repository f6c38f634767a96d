"""Give pages another slug or space, with all that carries a copy of either."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory import mirrors
from memory.models import ReviewItem, Space
from memory.models.ids import among
from wiki import dependants, documents, sections, slugs
from wiki.models import Page, PageTag

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Relocation:
    """A page with the slug and the space it is to have; `page` has those of now."""

    page: Page
    slug: str
    space: Space


def relocate(moves: Sequence[Relocation]) -> None:
    """Give the pages their new places, in the caller's transaction.

    Callers hold the structure, have checked that the slugs are free, and look after
    redirects and links themselves.
    """
    counts: Counter[sections.Place] = Counter()
    for move in moves:
        page = move.page
        if not page.is_deleted:
            counts[page.slug, page.space_id] -= 1
            counts[move.slug, move.space.pk] += 1
    renamed = [move.page for move in moves if move.page.slug != move.slug]
    for move in moves:
        move.page.slug, move.page.slug_key = move.slug, slugs.key(move.slug)
        move.page.space = move.space
    Page.objects.bulk_update(
        [move.page for move in moves],
        ["slug", "slug_key", "space"],
        batch_size=_AT_ONCE,
    )
    sections.count(counts)
    dependants.set_words([page for page in renamed if not page.is_deleted])
    mirrors.move_documents(documents.following([move.page for move in moves]))
    mirrors.move_documents(
        (move.page.memory, move.slug, move.space) for move in moves if move.page.memory
    )
    _move_rows([move.page for move in moves])


def _move_rows(pages: Sequence[Page]) -> None:
    """Move tags, and what is proposed: who reads the page sees it, and nobody else."""
    pages_of: dict[Space, list[int]] = {}
    for page in pages:
        pages_of.setdefault(page.space, []).append(page.pk)
    for space, ids in pages_of.items():
        tags = PageTag.objects.filter(page__in=among(ids))
        tags.exclude(space=space).update(space=space)
        items = ReviewItem.objects.filter(draft__page__in=among(ids))
        items.exclude(space=space).update(space=space)
