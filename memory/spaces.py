"""Find or make the space a record goes to, and the scopes open to somebody."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from accounts.actors import Actor
from goclaw.lib import sql
from goclaw.lib.env import BadSetting
from goclaw.lib.errors import Forbidden
from memory import access
from memory.access import YES, Verdict
from memory.models import Memory, Space, SpaceGroupPermission, SpaceUserPermission
from memory.scopes import SHARED_SCOPES, WRITABLE_SCOPES, Scope

WIKI_EDITORS = "wiki editors"
"""The group whose members edit what is not restricted of the wiki."""


def space_for(actor: Actor, scope: str) -> Space:
    """Return the space of the scope; a person's own is made at first use."""
    if scope != Scope.PERSONAL:
        return Space.objects.get(kind=scope, path="")
    if actor.user_id is None:
        raise Forbidden("Personal records need a person.")
    return personal_space(actor.user_id)


def personal_space(user_id: int) -> Space:
    """Return the user's personal space, made at first use."""
    space = sql.first(Space, "owner_id = %s", user_id)
    if space:
        return space
    try:
        with transaction.atomic():
            return Space.objects.create(kind=Scope.PERSONAL, owner_id=user_id)
    except IntegrityError:  # somebody was quicker
        return Space.objects.get(owner_id=user_id)


def writable_scopes(actor: Actor) -> list[str]:
    """Return the scopes that the actor may write to, its own first."""
    return [
        str(space.kind) for space in _spaces(actor) if access.can_write(actor, space)
    ]


def scopes_with_records(actor: Actor) -> set[str]:
    """Return the scopes in which there is anything for the actor to read."""
    rows = Memory.objects.filter(space_id=OuterRef("pk")).live()
    spaces = Space.objects.filter(Exists(rows), pk__in=access.readable_space_ids(actor))
    return set(spaces.order_by().values_list("kind", flat=True).distinct())


def may_write(actor: Actor) -> Verdict:
    """Judge whether there is any scope for the actor; the reason is of its own one."""
    own, *others = (access.can_write(actor, space) for space in _spaces(actor))
    return YES if any([own, *others]) else own


def _spaces(actor: Actor) -> list[Space]:
    """Return the spaces of the writable scopes, in their order; makes none."""
    shared = Space.objects.filter(kind__in=WRITABLE_SCOPES, owner=None, path="")
    known = {space.kind: space for space in shared}
    known[Scope.PERSONAL] = Space(kind=Scope.PERSONAL, owner_id=actor.user_id)
    return [known[scope] for scope in WRITABLE_SCOPES if scope in known]


def ensure_shared_spaces(write_access: list[str]) -> None:
    """Make the shared spaces; at the first start list the writers of the setting.

    Each entry is `scope:username` or `scope:@group`. Later the admin is the truth.
    The wiki has its editors from the start, as a group that is still empty.
    """
    known = set(
        Space.objects.filter(path="", owner=None).values_list("kind", flat=True)
    )
    missing = [scope for scope in SHARED_SCOPES if scope not in known]
    Space.objects.bulk_create(
        [Space(kind=scope) for scope in missing], ignore_conflicts=True
    )
    if not known:
        for entry in write_access:
            list_writer(entry)
    if not Group.objects.filter(name=WIKI_EDITORS).exists():
        list_writer(f"{Scope.WIKI}:@{WIKI_EDITORS}")


def list_writer(entry: str) -> None:
    """List a writer, `scope:username` or `scope:@group`; raises BadSetting."""
    scope, _, name = entry.partition(":")
    if scope not in SHARED_SCOPES or not name.strip("@"):
        raise BadSetting(
            "GOCLAW_MEMORY_WRITE_ACCESS takes scope:username or scope:@group,"
            f" not {entry!r}"
        )
    space = Space.objects.get(kind=scope, path="")
    permission = Permission.objects.get(
        content_type__app_label="memory", codename="write_space"
    )
    if name.startswith("@"):
        group, _ = Group.objects.get_or_create(name=name[1:])
        SpaceGroupPermission.objects.get_or_create(
            permission=permission, group=group, content_object=space
        )
    else:
        user, _ = get_user_model().objects.get_or_create(username=name)
        SpaceUserPermission.objects.get_or_create(
            permission=permission, user=user, content_object=space
        )
