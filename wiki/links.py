"""Links between pages: kept with each save, resolved when pages come, go or move."""

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from memory import access
from memory.models import Space
from memory.models.ids import among
from memory.scopes import Scope
from wiki import slugs
from wiki.models import Link, Page, Redirect
from wiki.models.fields import among_keys
from wiki.models.pages import PageQuerySet


# --- reading -------------------------------------------------------------------------
def existing(actor: Actor, names: Iterable[str]) -> frozenset[str]:
    """Return those of the linked slugs that lead to a page the actor may read."""
    keys = {name: slugs.key(name) for name in names}
    if not keys:
        return frozenset()
    readable = Page.objects.readable_by(actor).live()
    found = readable.filter(slug_key__in=among_keys(keys.values()))
    there = set(found.values_list("slug_key", flat=True))
    if left := set(keys.values()) - there:
        redirects = Redirect.objects.filter(
            access.readable(actor, prefix="page__", indexed=False),
            slug_key__in=among_keys(left),
            page__deleted_at__isnull=True,
        )
        there.update(redirects.values_list("slug_key", flat=True))
    return frozenset(name for name, key in keys.items() if key in there)


def backlinks(actor: Actor, page: Page) -> PageQuerySet:
    """Return the readable pages that link to the page, under old addresses as well."""
    linking = Link.objects.filter(target=page).values("page_id")
    return Page.objects.readable_by(actor).live().filter(pk__in=linking)


def broken(actor: Actor) -> QuerySet[Link]:
    """Return the links of readable pages that lead to no page the actor may read."""
    leads_nowhere = Q(target__isnull=True)
    others = Space.objects.filter(kind=Scope.WIKI)
    hidden = others.exclude(pk__in=access.readable_space_ids(actor))
    if hidden_ids := list(hidden.values_list("pk", flat=True)):
        leads_nowhere |= Q(target__space_id__in=hidden_ids)
    readable = access.readable(actor, prefix="page__", indexed=False)
    return Link.objects.filter(leads_nowhere, readable).select_related("page")


# --- writing, in the transaction that changes the pages ------------------------------
def set_links(page: Page, names: Iterable[str]) -> None:
    """Make the links of a page exactly those that its text names."""
    wanted = {slugs.key(slug): slug for slug in _parsed(names)}
    present = dict(page.links.values_list("slug_key", "pk"))
    gone = [pk for key, pk in present.items() if key not in wanted]
    if gone:
        Link.objects.filter(pk__in=gone).delete()
    new = wanted.keys() - present.keys()
    if new:
        targets = _targets(new)
        Link.objects.bulk_create(
            Link(page=page, slug=wanted[key], slug_key=key, target_id=targets.get(key))
            for key in sorted(new)
        )


def resolve(keys: Iterable[str]) -> None:
    """Lead the links to these slugs where the slugs lead now."""
    linked = Link.objects.filter(slug_key__in=among_keys(keys))
    wanted = set(linked.values_list("slug_key", flat=True).order_by())
    targets = _targets(wanted)
    for key in sorted(wanted):
        Link.objects.filter(slug_key=key).update(target=targets.get(key))


def keys_leading_to(pages: Sequence[Page]) -> set[str]:
    """Return the keys by which the pages are reached: their own and redirects'."""
    redirects = Redirect.objects.filter(page__in=among(page.pk for page in pages))
    own = {page.slug_key for page in pages}
    return own.union(redirects.values_list("slug_key", flat=True))


def _targets(keys: Iterable[str]) -> dict[str, int]:
    """Return the live page of each key; a page beats a redirect."""
    wanted = set(keys)
    redirects = Redirect.objects.filter(
        slug_key__in=among_keys(wanted), page__deleted_at__isnull=True
    )
    found = dict(redirects.values_list("slug_key", "page_id"))
    live = Page.objects.live().filter(slug_key__in=among_keys(wanted))
    found.update(live.values_list("slug_key", "pk"))
    return found


def _parsed(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        try:
            yield slugs.parse(name)
        except BadInput:
            continue  # no page can ever be there
