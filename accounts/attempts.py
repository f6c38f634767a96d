"""Slow down guessing of passwords without locking the right person out.

Attempts are counted before the password is looked at, in windows that begin with the
first attempt and end by themselves: refused attempts do not prolong them. A browser
that the person has signed in with before has a count of its own, so that strangers who
guess at an account from many addresses cannot keep its owner out.
"""

import hashlib
import math
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv6Address, ip_address

from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.http import client_ip
from accounts.models import AttemptWindow

DEVICE_COOKIE = "goclaw_device"
_DEVICE_AGE = timedelta(days=365)
_SALT = "accounts.attempts.device"


@dataclass(frozen=True, slots=True)
class _Bucket:
    """What is counted together, how often it may happen in which time."""

    name: str
    limit: int
    window: timedelta


@dataclass(frozen=True, slots=True)
class Attempt:
    """One counted try to sign in; `own` counts this account from this source."""

    own: _Bucket
    others: tuple[_Bucket, ...]


def begin(username: str, request: HttpRequest) -> Attempt:
    """Count a try to sign in; raise `ValidationError` when there were too many."""
    account = _account(username)
    address = _network(client_ip(request))
    device = _known_device(request, account)
    source = f"device {device}" if device else f"address {address}"
    others = [_Bucket(f"address {address}", 30, timedelta(minutes=15))]
    if not device:
        others.append(_Bucket(f"account {account}", 50, timedelta(minutes=15)))
    own = _Bucket(f"account {account} from {source}", 6, timedelta(minutes=10))
    for bucket in (own, *others):
        _count(bucket)
    return Attempt(own=own, others=tuple(others))


def succeeded(attempt: Attempt) -> None:
    """Take a try back that turned out to be right."""
    AttemptWindow.objects.filter(bucket=_hash(attempt.own.name)).delete()
    hashes = [_hash(bucket.name) for bucket in attempt.others]
    AttemptWindow.objects.filter(bucket__in=hashes, attempts__gt=0).update(
        attempts=F("attempts") - 1
    )


def remember_device(
    response: HttpResponse, request: HttpRequest, username: str
) -> None:
    """Mark the browser as one that this person has signed in with."""
    response.set_signed_cookie(
        DEVICE_COOKIE,
        f"{_account(username)}.{secrets.token_hex(8)}",
        salt=_SALT,
        max_age=int(_DEVICE_AGE.total_seconds()),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _known_device(request: HttpRequest, account: str) -> str:
    """Return the id of a browser this account has been signed in with, or nothing."""
    try:
        value = request.get_signed_cookie(
            DEVICE_COOKIE, salt=_SALT, max_age=_DEVICE_AGE
        )
    except (KeyError, signing.BadSignature):
        return ""
    known, _, device = (value or "").partition(".")
    return device if known == account else ""


@transaction.atomic
def _count(bucket: _Bucket) -> None:
    now = timezone.now()
    row, is_new = AttemptWindow.objects.select_for_update().get_or_create(
        bucket=_hash(bucket.name), defaults={"attempts": 0, "started_at": now}
    )
    if is_new:
        stale = now - timedelta(days=1)
        AttemptWindow.objects.filter(started_at__lt=stale).delete()
    if row.started_at + bucket.window <= now:
        row.attempts, row.started_at = 0, now
    if row.attempts >= bucket.limit:
        left = row.started_at + bucket.window - now
        minutes = math.ceil(left.total_seconds() / 60)
        raise ValidationError(
            "Too many attempts to sign in. Try again in %(minutes)d %(unit)s, or ask "
            "an administrator for a one-time sign-in link.",
            code="throttled",
            params={
                "minutes": minutes,
                "unit": "minute" if minutes == 1 else "minutes",
            },
        )
    row.attempts += 1
    row.save()


def _account(username: str) -> str:
    """Return a short name for an account that gives nothing away, real or not."""
    return _hash(unicodedata.normalize("NFKC", username).casefold())[:16]


def _network(ip: str | None) -> str:
    """Return the address, of IPv6 the /64 network that one household has."""
    address = ip_address(ip or "0.0.0.0")  # noqa: S104  (a name, nothing listens)
    if isinstance(address, IPv6Address):
        return address.exploded[:19]
    return str(address)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
