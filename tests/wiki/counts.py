"""The kept counts of pages, and what they should be."""

from collections import Counter

from wiki import slugs
from wiki.models import Page, Section


def counted() -> dict[tuple[str, int], int]:
    rows = Section.objects.filter(pages__gt=0)
    return {(row.path_key, row.space_id): row.pages for row in rows}


def counts_of_the_pages() -> dict[tuple[str, int], int]:
    found: Counter[tuple[str, int]] = Counter()
    for slug, space in Page.objects.live().values_list("slug_key", "space_id"):
        for path in [*slugs.ancestors(slug), slug]:
            found[path, space] += 1
    return dict(found)
