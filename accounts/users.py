"""Add people and change them: what administrators do at every door but the admin's."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts import audit
from accounts.actors import Actor
from accounts.key_rules import check_manages
from accounts.models import User
from goclaw.lib.errors import BadInput, Conflict, Forbidden, NotFound

FIELDS = frozenset(
    {"email", "first_name", "last_name", "timezone", "is_active", "is_superuser"}
)


def check_may_manage(actor: Actor) -> None:
    """Raise Forbidden unless the actor may see and change who is a user here.

    The door is that of keys: a person, or a key in a direct chat of its own owner.
    """
    check_manages(actor)
    if not actor.is_admin:
        raise Forbidden(
            "Only administrators manage people.", remedy="Ask an administrator."
        )


@transaction.atomic
def create(
    *,
    actor: Actor,
    username: str,
    roles: Sequence[str] = (),
    ip: str | None = None,
    **fields: Any,
) -> User:
    """Add a person without password: a sign-in link lets them set one.

    Raises Forbidden, Conflict for a name that is taken, BadInput for what cannot be.
    """
    check_may_manage(actor)
    user = User(username=User.normalize_username(username))
    user.set_unusable_password()
    taken = User.objects.filter(username__iexact=user.username).first()
    if taken:
        raise Conflict(
            f"The name {taken.username} is taken.",
            code="username_taken",
            field="username",
            remedy="Choose another user name.",
        )
    _set(user, fields)
    user.save()
    user.groups.set(_groups(roles))
    _note("user.create", actor, user, fields, ip)
    return user


@transaction.atomic
def change(
    *,
    actor: Actor,
    username: str,
    roles: Sequence[str] | None = None,
    ip: str | None = None,
    **fields: Any,
) -> User:
    """Change what is given of a person; `roles` become exactly these.

    Raises Forbidden, NotFound, BadInput, or Conflict for who would lock everybody out.
    """
    check_may_manage(actor)
    user = User.objects.select_for_update().filter(username=username).first()
    if user is None:
        raise NotFound("There is no such person.", field="username")
    _set(user, fields)
    user.save()
    administrators = User.objects.filter(is_active=True, is_superuser=True)
    if not administrators.exists():
        raise Conflict(
            "Somebody has to stay an active administrator.",
            code="last_administrator",
            remedy="Make somebody else an administrator first.",
        )
    if roles is not None:
        user.groups.set(_groups(roles))
    _note("user.change", actor, user, fields, ip)
    return user


def _set(user: User, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if name not in FIELDS:
            raise BadInput(f"{name} cannot be set.", field=name)
        setattr(user, name, value)
    user.is_staff = user.is_superuser
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        name, messages = next(iter(error.message_dict.items()))
        raise BadInput(messages[0], field=name) from error


def _groups(roles: Sequence[str]) -> list[Group]:
    found = list(Group.objects.filter(name__in=roles))
    unknown = set(roles) - {group.name for group in found}
    if unknown:
        raise BadInput(
            f"There is no role {min(unknown)!r}.",
            field="roles",
            remedy="Roles are groups; an administrator adds them in the admin.",
        )
    return found


def _note(
    action: str, actor: Actor, user: User, fields: dict[str, Any], ip: str | None
) -> None:
    details = {"fields": sorted(fields), "is_superuser": user.is_superuser}
    audit.record(action, actor=actor, target=user.username, details=details, ip=ip)
