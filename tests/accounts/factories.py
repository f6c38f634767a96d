"""People who can sign in, and their keys."""

from typing import Any

from accounts import keys
from accounts.actors import system_actor
from accounts.key_rules import KeyRights
from accounts.models import ApiKey, User
from tests import people

PASSWORD = "a long enough passphrase"
EVERY_RUN = ["chat", "sop", "cron", "webhook"]


def make_user(username: str = "alice", **fields: Any) -> User:
    """Return a person with a password."""
    return people.make_user(username, password=PASSWORD, **fields)


def make_admin(username: str = "root") -> User:
    """Return an administrator with a password."""
    return people.make_admin(username, password=PASSWORD)


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
