"""Find the person whom a key's request names, or make them where the key says so."""

import re
import secrets
from dataclasses import dataclass
from typing import Self

from django.db import IntegrityError, transaction

from accounts import audit
from accounts.models import ApiKey, Identity, User
from goclaw.lib.errors import BadInput, Forbidden

USER_HEADER = "X-GoClaw-User"
IDENTITY_HEADER = "X-GoClaw-Identity"


@dataclass(frozen=True, slots=True)
class IdentityName:
    """A person's name on a channel; the sender part may contain colons."""

    channel: str
    account: str
    sender: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `<channel>:<account>:<sender>`; raise `BadInput` for anything else."""
        parts = [part.strip() for part in text.split(":", 2)]
        limits = (64, 128, 255)
        if (
            len(parts) != len(limits)
            or not all(parts)
            or not text.isprintable()
            or any(len(p) > limit for p, limit in zip(parts, limits, strict=True))
        ):
            raise BadInput(
                f"{IDENTITY_HEADER} must be <channel>:<account>:<sender>.",
                field=IDENTITY_HEADER,
            )
        return cls(*parts)


def person_for_key(key: ApiKey, *, user_name: str | None, identity: str | None) -> User:
    """Return the person a request with this key acts for.

    That is the key's owner unless the request names somebody. A key without the right
    to act for others is refused with the same words whether the person it names exists
    or not.
    """
    if user_name is not None and identity is not None:
        raise BadInput(
            f"Name the person by {USER_HEADER} or by {IDENTITY_HEADER}, not both.",
            field=IDENTITY_HEADER,
        )
    if user_name is not None:
        person = _by_user_name(key, user_name)
    elif identity is not None:
        person = _by_identity(key, IdentityName.parse(identity))
    else:
        person = key.owner
    if not person.is_active:
        raise Forbidden(
            f"The account of {person.username} is not active.",
            code="inactive_user",
            remedy="An administrator can activate it.",
        )
    return person


def _by_user_name(key: ApiKey, user_name: str) -> User:
    name = User.normalize_username(user_name.strip())
    if not name or len(name) > 150 or not name.isprintable():
        raise BadInput(f"{USER_HEADER} must be a user name.", field=USER_HEADER)
    if name == key.owner.username:
        return key.owner
    _check_may_act_for_others(key, USER_HEADER)
    person = User.objects.filter(username=name).first()
    if person is None:
        raise _unknown(USER_HEADER, "An administrator can add the person.")
    return person


def _by_identity(key: ApiKey, name: IdentityName) -> User:
    person = _linked_person(name)
    if person is not None and person.pk == key.owner_id:
        return key.owner
    _check_may_act_for_others(key, IDENTITY_HEADER)
    if person is None and key.auto_provision:
        return _provision(key, name)
    if person is None:
        raise _unknown(
            IDENTITY_HEADER, "An administrator can link this identity to a person."
        )
    return person


def _linked_person(name: IdentityName) -> User | None:
    identity = (
        Identity.objects.select_related("user")
        .filter(channel=name.channel, account=name.account, sender=name.sender)
        .first()
    )
    return identity.user if identity else None


def _check_may_act_for_others(key: ApiKey, header: str) -> None:
    if not key.may_act_for_others:
        raise Forbidden(
            "This key acts for its owner only.",
            field=header,
            remedy=f"Leave {header} out, or use a key that may act for others.",
        )


def _unknown(header: str, remedy: str) -> Forbidden:
    return Forbidden(
        f"{header} names nobody who is known here.",
        code="unknown_identity",
        field=header,
        remedy=remedy,
    )


def _provision(key: ApiKey, name: IdentityName) -> User:
    """Make a person without password for an identity, once also for two at a time."""
    readable = re.sub(r"[^\w.-]+", "-", f"{name.channel}-{name.sender}")[:100]
    try:
        with transaction.atomic():
            person = User(username=f"{readable}-{secrets.token_hex(4)}")
            person.set_unusable_password()
            person.save()
            identity = Identity.objects.create(
                user=person,
                channel=name.channel,
                account=name.account,
                sender=name.sender,
            )
            audit.record(
                "user.provision",
                user=key.owner,
                key=key,
                target=person.username,
                details={"identity": str(identity)},
            )
    except IntegrityError:
        # Another request of the same person was faster.
        winner = _linked_person(name)
        if winner is None:
            raise
        return winner
    return person
