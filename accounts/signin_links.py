"""One-time sign-in links: how the first administrator gets in, and whoever is stuck."""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.models import SignInLink, User

LIFETIME = timedelta(hours=24)


@transaction.atomic
def create(*, user: User) -> str:
    """Make a link for a person and return its token; their earlier links end."""
    SignInLink.objects.filter(user=user, used_at=None).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user, token_hash=_hash(token), expires_at=timezone.now() + LIFETIME
    )
    audit.record("sign_in_link.create", target=user.username)
    return token


def holder(token: str) -> User | None:
    """Return whom a link would sign in, without using it up."""
    link = _usable(token)
    return link.user if link else None


@transaction.atomic
def redeem(token: str, *, ip: str | None) -> User | None:
    """Use a link up and return its person; None for all but the first of many."""
    link = _usable(token)
    if link is None:
        return None
    # The row's own columns only: the database then looks again once it has the lock.
    unused = SignInLink.objects.filter(pk=link.pk, used_at=None)
    if not unused.update(used_at=timezone.now()):
        return None
    audit.record("sign_in.by_link", user=link.user, ip=ip)
    return link.user


def _usable(token: str) -> SignInLink | None:
    return (
        SignInLink.objects.select_related("user")
        .filter(
            token_hash=_hash(token),
            used_at=None,
            expires_at__gt=timezone.now(),
            user__is_active=True,
        )
        .first()
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
