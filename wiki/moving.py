"""Rename and move pages, with what lies below them. Old addresses lead to the new ones.

No text is rewritten: links to an old address resolve through its redirect.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from memory.access import readable_space_ids
from memory.models import Space
from memory.models.ids import among
from memory.scopes import Scope
from wiki import access, links, slugs
from wiki.finding import no_such_page
from wiki.locking import hold_structure
from wiki.models import Page, Redirect
from wiki.models.fields import among_keys
from wiki.relocating import Relocation, relocate
from wiki.trash import slug_taken


@dataclass(frozen=True, slots=True)
class Moved:
    """Where the section is now, and how many live pages moved."""

    slug: str
    pages: int


@transaction.atomic
def move_page(*, actor: Actor, slug: str, to: str) -> Moved:
    """Move the page and what lies below it; a section without a page of its own too.

    Restricted sections stay restricted. What the actor cannot see stays where it is;
    what they see but may not edit keeps everything from moving.

    Raises NotFound, BadInput, Forbidden or Conflict (`slug_taken`), and then changes
    nothing.
    """
    target = slugs.parse(to)
    hold_structure()
    source = _source(actor, slug)
    if slugs.key(target).startswith(f"{slugs.key(source)}/"):
        raise BadInput("A page cannot move below itself.", field="to")
    spaces = _moving_spaces(actor, source)
    moves = [
        Relocation(page, slug=_below(target, page.slug, source), space=page.space)
        for page in _pages(actor, source)
    ]
    live = [move for move in moves if not move.page.is_deleted]
    if not live:
        raise no_such_page()
    if target == source:
        return Moved(target, 0)
    moves = _judged(actor, moves, spaces)
    _refuse_taken(moves, spaces, source, target)
    old_keys = links.keys_leading_to([move.page for move in live])
    _leave_redirects(live)
    for space in spaces:
        space.path = _below(slugs.key(target), space.path, slugs.key(source))
        space.save(update_fields=["path"])
    relocate(moves)
    links.resolve(old_keys | {move.page.slug_key for move in live})
    audit.record(
        "wiki.move",
        actor=actor,
        target=source,
        details={"to": target, "pages": len(live)},
    )
    return Moved(target, len(live))


def _source(actor: Actor, text: str) -> str:
    """Return the slug that moves; raises NotFound for what is no slug."""
    try:
        slug = slugs.parse(text)
    except BadInput:
        raise no_such_page() from None
    page = Page.objects.readable_by(actor).live().at(slug).first()
    return page.slug if page else slug


def _pages(actor: Actor, source: str) -> list[Page]:
    """Return all that moves, what lies in the trash as well: it comes back there."""
    pages = Page.objects.readable_by(actor).under(source)
    return list(pages.select_related("space", "memory").order_by("slug_key", "pk"))


def _moving_spaces(actor: Actor, source: str) -> list[Space]:
    """Return the spaces of the sections at and below the source that are to be seen."""
    key = slugs.key(source)
    low, high = slugs.below(key)
    here = Q(path=key) | Q(path__gte=low, path__lt=high)
    ids = readable_space_ids(actor)
    return list(Space.objects.filter(here, kind=Scope.WIKI, pk__in=ids))


def _judged(
    actor: Actor, moves: list[Relocation], spaces: list[Space]
) -> list[Relocation]:
    """Return the moves with their new spaces; all old and new ones can be edited."""
    taken_along = {space.pk for space in spaces}
    judged: set[int] = set()
    found = []
    for move in moves:
        space = move.space
        if space.pk not in taken_along:
            space = access.space_of(move.slug)
        for one in (move.space, space):
            if one.pk not in judged:
                access.can_edit(actor, one).require()
                judged.add(one.pk)
        found.append(Relocation(move.page, slug=move.slug, space=space))
    return found


def _refuse_taken(
    moves: list[Relocation], spaces: list[Space], source: str, target: str
) -> None:
    own = {move.page.pk for move in moves}
    keys = {
        slugs.key(slugs.parse(move.slug)): move.slug
        for move in moves
        if not move.page.is_deleted
    }
    taken = (
        Page.objects.live()
        .filter(slug_key__in=among_keys(keys))
        .exclude(pk__in=among(own))
    )
    if page := taken.order_by("slug_key").first():
        raise slug_taken(keys[page.slug_key])
    paths = [
        _below(slugs.key(target), space.path, slugs.key(source)) for space in spaces
    ]
    clash = Space.objects.filter(kind=Scope.WIKI, path__in=paths)
    if clash.exclude(pk__in=[space.pk for space in spaces]).exists():
        raise slug_taken(target)


def _leave_redirects(moves: list[Relocation]) -> None:
    """Lead the old addresses to the pages; a new address needs no redirect."""
    now = timezone.now()
    old = {move.page.slug_key for move in moves}
    new = {slugs.key(move.slug) for move in moves}
    Redirect.objects.filter(slug_key__in=among_keys(old | new)).delete()
    Redirect.objects.bulk_create(
        Redirect(
            slug=move.page.slug,
            slug_key=move.page.slug_key,
            page=move.page,
            created_at=now,
        )
        for move in moves
        if move.page.slug_key not in new
    )


def _below(target: str, slug: str, source: str) -> str:
    """Return the slug with its beginning, the source, replaced by the target."""
    depth = source.count("/") + 1
    return "/".join([target, *slug.split("/")[depth:]])
