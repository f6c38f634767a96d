"""People and keys for tests, made the way the product makes them."""

from typing import Any

from accounts import keys
from accounts.actors import system_actor
from accounts.key_rules import KeyRights
from accounts.models import ApiKey, User

PASSWORD = "a long enough passphrase"
EVERY_RUN = ["chat", "sop", "cron", "webhook"]


def make_user(username: str = "alice", **fields: Any) -> User:
    """Return a person with a password."""
    return User.objects.create_user(username, password=PASSWORD, **fields)


def make_admin(username: str = "root") -> User:
    """Return an administrator with a password."""
    return User.objects.create_superuser(username, password=PASSWORD)


def make_key(
    owner: User, *, is_local_admin: bool = False, **rights: Any
) -> tuple[ApiKey, str]:
    """Return a key and its secret."""
    return keys.create(
        actor=system_actor(),
        owner=owner,
        label=f"key of {owner.username}",
        rights=KeyRights(**rights),
        is_local_admin=is_local_admin,
    )
