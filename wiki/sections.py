"""Keep how many live pages lie at or below each path, for each space.

With that a level of the tree is one query, whatever lies below it and whoever asks.
Callers hold the wiki's structure lock, see `locking`.
"""

from collections import Counter
from collections.abc import Mapping

from django.db.models import F

from wiki import slugs
from wiki.models import Page, Section

Place = tuple[str, int]
"""(slug, space id)"""


def count(changes: Mapping[Place, int]) -> None:
    """Add to the counts at and above each place, in the caller's transaction."""
    paths: dict[str, str] = {}
    deltas: Counter[Place] = Counter()
    for (slug, space_id), delta in changes.items():
        for path in [*slugs.ancestors(slug), slug]:
            path_key = slugs.key(path)
            paths.setdefault(path_key, path)
            deltas[path_key, space_id] += delta
    changed = sorted(place for place, delta in deltas.items() if delta)
    Section.objects.bulk_create(
        (
            Section(
                path=paths[path_key],
                path_key=path_key,
                parent_key=slugs.parent(path_key),
                space_id=space_id,
            )
            for path_key, space_id in changed
            if deltas[path_key, space_id] > 0
        ),
        ignore_conflicts=True,
    )
    for path_key, space_id in changed:
        Section.objects.filter(
            parent_key=slugs.parent(path_key), path_key=path_key, space_id=space_id
        ).update(pages=F("pages") + deltas[path_key, space_id])


def recount() -> None:
    """Make all counts anew from the pages, in the caller's transaction."""
    Section.objects.all().delete()
    live = Page.objects.live().values_list("slug", "space_id")
    count(Counter(live.iterator()))
