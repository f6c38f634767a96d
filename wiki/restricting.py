"""Give a section, or a single page, readers and writers of its own.

A restricted section has a space; its pages, their copies for search, the chunks and
vectors move there, so that every read stays one filter on space ids.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

from accounts import audit
from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from memory.access import readable_space_ids
from memory.models import (
    ReviewItem,
    Space,
    SpaceGroupPermission,
    SpaceUserPermission,
)
from memory.scopes import Scope
from wiki import access, slugs
from wiki.finding import no_such_page
from wiki.locking import hold_structure
from wiki.models import Page, PageDraft
from wiki.models.pages import PageQuerySet
from wiki.relocating import Relocation, relocate


@dataclass(frozen=True, slots=True)
class Restriction:
    """Who reads and who writes a section; groups begin with `@`. Writers read too."""

    path: str
    readers: tuple[str, ...]
    writers: tuple[str, ...]


def restriction_of(*, actor: Actor, slug: str) -> Restriction | None:
    """Return the restriction that a slug lies in, None when there is none.

    Raises Forbidden for who may not restrict, NotFound for who cannot read there.
    """
    access.can_restrict(actor).require()
    space = _readable_space(actor, slug)
    return _described(space) if space.path else None


@transaction.atomic
def restrict(
    *, actor: Actor, slug: str, readers: Iterable[str], writers: Iterable[str]
) -> Restriction:
    """Let only these read and write the section at the slug and all below.

    Names are user names, or groups with `@` before them. Who restricts stays a writer.
    Sections below that are restricted already keep their own lists.

    Raises Forbidden, NotFound, or BadInput for unknown names.
    """
    access.can_restrict(actor).require()
    hold_structure()
    outer = _readable_space(actor, slug)
    section = slugs.parse(slug)
    space, _ = Space.objects.get_or_create(kind=Scope.WIKI, path=slugs.key(section))
    _grant(space, "view_space", set(readers))
    _grant(space, "write_space", {*writers, actor.username} - {""})
    if space != outer:
        _rehouse(Page.objects.under(section).filter(space=outer), space)
        _move_drafts_below(section, outer, space)
    actor.memo.clear()  # they read one space more than was looked up
    audit.record("wiki.restrict", actor=actor, target=section)
    return _described(space)


@transaction.atomic
def lift(*, actor: Actor, slug: str) -> None:
    """Take a restriction away: what is around the section decides again.

    Raises Forbidden, or NotFound when there is none at this very slug.
    """
    access.can_restrict(actor).require()
    hold_structure()
    space = _readable_space(actor, slug)
    if space.path != slugs.key(slug):
        raise no_such_page()
    outer_path = slugs.parent(space.path)
    outer = access.space_of(outer_path) if outer_path else _wiki_space()
    _rehouse(Page.objects.filter(space=space), outer)
    ReviewItem.objects.filter(space=space).update(space=outer)
    space.delete()
    actor.memo.clear()
    audit.record("wiki.lift_restriction", actor=actor, target=slug)


def _rehouse(pages: PageQuerySet, space: Space) -> None:
    relocate(
        [
            Relocation(page, slug=page.slug, space=space)
            for page in pages.select_related("memory")
        ]
    )


def _move_drafts_below(section: str, outer: Space, space: Space) -> None:
    """Take along what is proposed for pages that are not there yet."""
    below = Q(slug=section) | Q(slug__startswith=f"{section}/")
    drafts = PageDraft.objects.filter(below, page=None)
    ReviewItem.objects.filter(draft__in=drafts, space=outer).update(space=space)


def _readable_space(actor: Actor, slug: str) -> Space:
    try:
        space = access.space_of(slugs.parse(slug))
    except BadInput:
        raise no_such_page() from None
    if space.pk not in readable_space_ids(actor):
        raise no_such_page()
    return space


def _wiki_space() -> Space:
    return Space.objects.get(kind=Scope.WIKI, path="")


def _grant(space: Space, codename: str, names: set[str]) -> None:
    """Make the listed users and groups exactly these."""
    permission = Permission.objects.get(
        content_type__app_label="memory", codename=codename
    )
    groups = Group.objects.filter(name__in=[n[1:] for n in names if n[:1] == "@"])
    users = get_user_model().objects.filter(username__in=names)
    unknown = names - {f"@{group.name}" for group in groups}
    unknown -= {user.get_username() for user in users}
    if unknown:
        raise BadInput(
            f"There is no user or group {min(unknown)!r}.",
            field="readers" if codename == "view_space" else "writers",
            remedy="A group has @ before its name.",
        )
    granted = {"content_object": space, "permission": permission}
    SpaceUserPermission.objects.filter(**granted).delete()
    SpaceGroupPermission.objects.filter(**granted).delete()
    SpaceUserPermission.objects.bulk_create(
        SpaceUserPermission(user=user, **granted) for user in users
    )
    SpaceGroupPermission.objects.bulk_create(
        SpaceGroupPermission(group=group, **granted) for group in groups
    )


def _described(space: Space) -> Restriction:
    def names(codename: str) -> tuple[str, ...]:
        granted = {"content_object": space, "permission__codename": codename}
        users = SpaceUserPermission.objects.filter(**granted)
        groups = SpaceGroupPermission.objects.filter(**granted)
        found = list(users.values_list("user__username", flat=True))
        found += [f"@{name}" for name in groups.values_list("group__name", flat=True)]
        return tuple(sorted(found))

    return Restriction(space.path, names("view_space"), names("write_space"))
