"""API keys: create, verify, rotate, revoke.

A secret is `gck_` and 256 random bits. It is shown once and stored as its SHA-256 hash:
with that much chance in it a slow hash adds nothing. It is looked up by the hash, so
the time of an answer says nothing about how close a guess was.
"""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import audit
from accounts.actors import Actor
from accounts.key_rules import KeyRights, check_manages, check_may_give
from accounts.models import ApiKey, User
from goclaw.lib import sql
from goclaw.lib.errors import BadInput, Forbidden, Unauthenticated

MARK = "gck_"
_SHOWN = len(MARK) + 4
_USE_NOTED_EVERY = timedelta(minutes=1)


@transaction.atomic
def create(
    *,
    actor: Actor,
    owner: User,
    label: str,
    rights: KeyRights,
    is_local_admin: bool = False,
    ip: str | None = None,
) -> tuple[ApiKey, str]:
    """Make a key and return it with its secret, which cannot be had again.

    Raises `Forbidden` when the actor may not give these rights, `BadInput` when they
    make no sense. `is_local_admin` is for the command line of this machine.
    """
    check_may_give(actor, for_other=owner.pk != actor.user_id, rights=rights)
    secret = _new_secret()
    key = ApiKey(
        owner=owner,
        label=label,
        prefix=secret[:_SHOWN],
        secret_hash=_hash(secret),
        runs=list(rights.runs),
        may_act_for_others=rights.may_act_for_others,
        auto_provision=rights.auto_provision,
        may_write_db_cache=rights.may_write_db_cache,
        is_local_admin=is_local_admin,
        expires_at=rights.expires_at,
    )
    _check_valid(key)
    key.save()
    _audit_creation(actor, key, ip)
    return key, secret


def verify(secret: str) -> ApiKey:
    """Return the key of a secret, with its owner, and note its use once a minute.

    Raises `Unauthenticated` for unknown, revoked and expired keys and for those of
    inactive people. Two queries, and one write a minute.
    """
    key = sql.first(ApiKey, "secret_hash = %s", _hash(secret))
    owner = sql.first(User, "id = %s", key.owner_id) if key else None
    if key is None or owner is None:
        raise Unauthenticated("This API key is not known.")
    key.owner = owner
    now = timezone.now()
    if key.revoked_at is not None:
        raise Unauthenticated("This API key has been revoked.")
    if key.has_expired(now):
        raise Unauthenticated("This API key has expired.")
    if not key.owner.is_active:
        raise Unauthenticated("The owner of this API key is not active.")
    _note_use(key, now)
    return key


@transaction.atomic
def rotate(*, actor: Actor, key: ApiKey, ip: str | None = None) -> str:
    """Give a key of the actor's own a new secret and return it; the old one is over.

    Raises `Forbidden` for another person's key: its secret would act for them.
    """
    if key.owner_id != actor.user_id:
        raise Forbidden("Only the owner of a key can renew it.")
    check_may_give(actor, for_other=False, rights=KeyRights.of(key))
    if key.revoked_at is not None:
        raise BadInput("A revoked key gets no new secret.", code="key_revoked")
    secret = _new_secret()
    key.prefix, key.secret_hash = secret[:_SHOWN], _hash(secret)
    key.save(update_fields=["prefix", "secret_hash"])
    audit.record(
        "key.rotate", actor=actor, target=str(key), details={"key_id": key.pk}, ip=ip
    )
    return secret


@transaction.atomic
def revoke(*, actor: Actor, key: ApiKey, ip: str | None = None) -> None:
    """End a key for good; one that is revoked already stays as it is."""
    check_manages(actor)
    now = timezone.now()
    if not ApiKey.objects.unrevoked().filter(pk=key.pk).update(revoked_at=now):
        return
    key.revoked_at = now
    audit.record(
        "key.revoke", actor=actor, target=str(key), details={"key_id": key.pk}, ip=ip
    )


def _new_secret() -> str:
    return MARK + secrets.token_urlsafe(32)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _note_use(key: ApiKey, now: datetime) -> None:
    stale = now - _USE_NOTED_EVERY
    if key.last_used_at is None or key.last_used_at < stale:
        # The condition lets one of many requests at once do the write.
        ApiKey.objects.filter(
            Q(last_used_at=None) | Q(last_used_at__lt=stale), pk=key.pk
        ).update(last_used_at=now)


def _check_valid(key: ApiKey) -> None:
    if key.has_expired(timezone.now()):
        raise BadInput("The expiry must be in the future.", field="expires_at")
    try:
        key.full_clean()
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise BadInput(
            messages[0], field=None if field == "__all__" else field
        ) from error


def _audit_creation(actor: Actor, key: ApiKey, ip: str | None) -> None:
    """Note a new key, and apart from others one that can act for other people."""
    for_others = key.may_act_for_others or key.owner_id != actor.user_id
    audit.record(
        "key.create_acting_for_others" if for_others else "key.create",
        actor=actor,
        target=str(key),
        details={
            "key_id": key.pk,
            "owner": key.owner.username,
            "runs": key.runs,
            "may_act_for_others": key.may_act_for_others,
            "auto_provision": key.auto_provision,
            "may_write_db_cache": key.may_write_db_cache,
        },
        ip=ip,
    )
