"""Keep how many live pages lie at or below each path, for each space.

With that a level of the tree is one query, whatever lies below it and whoever asks.
Callers hold the wiki's structure alone, see `locking`: what is read here stays true.
"""

from collections import Counter
from collections.abc import Mapping

from wiki import slugs
from wiki.models import Section
from wiki.models.fields import among_keys

_AT_ONCE = 500

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
    rows = Section.objects.filter(path_key__in=among_keys(paths))
    present = {
        (path_key, space_id): pages
        for path_key, space_id, pages in rows.values_list(
            "path_key", "space_id", "pages"
        )
    }
    Section.objects.bulk_create(
        (
            Section(
                path=paths[path_key],
                path_key=path_key,
                parent_key=slugs.parent(path_key),
                space_id=space_id,
                pages=present.get((path_key, space_id), 0) + delta,
            )
            for (path_key, space_id), delta in deltas.items()
            if delta
        ),
        update_conflicts=True,
        unique_fields=["path_key", "space"],
        update_fields=["pages"],
        batch_size=_AT_ONCE,
    )
