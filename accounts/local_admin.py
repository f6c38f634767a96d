"""The administrator's key of this machine, which its command line uses."""

import os
import secrets
import socket
from pathlib import Path

from django.db import transaction

from accounts import keys
from accounts.actors import system_actor
from accounts.key_rules import KeyRights
from accounts.kinds import KEY_RUNS
from accounts.models import ApiKey, User
from goclaw.lib.errors import Unauthenticated

FILE = Path("credentials", "local-admin.key")


def ensure(*, state_dir: Path, owner: User) -> bool:
    """Make sure the key's file is there and valid; return whether it was made anew.

    A lost or invalid key is replaced, and its predecessors on this machine are revoked;
    other machines on the same database keep theirs.
    """
    path = state_dir / FILE
    if _is_valid(path):
        return False
    label = f"command line of {socket.gethostname()}"[:100]
    actor = system_actor()
    with transaction.atomic():
        old = ApiKey.objects.unrevoked().filter(is_local_admin=True, label=label)
        for key in old:
            keys.revoke(actor=actor, key=key)
        _, secret = keys.create(
            actor=actor,
            owner=owner,
            label=label,
            rights=KeyRights(
                runs=[run.value for run in KEY_RUNS], may_act_for_others=True
            ),
            is_local_admin=True,
        )
        # Before the commit: a key in the file that the database does not know is made
        # anew at the next start, one in the database that no file holds stays for ever.
        _write(path, secret)
    return True


def _is_valid(path: Path) -> bool:
    try:
        key = keys.verify(path.read_text(encoding="ascii").strip())
    except (FileNotFoundError, UnicodeDecodeError, Unauthenticated):
        return False
    if not (key.is_local_admin and key.owner.is_superuser):
        return False
    path.chmod(0o600)
    return True


def _write(path: Path, secret: str) -> None:
    """Put the secret into a file that is complete and private, or not there at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secret)
        file.flush()
        os.fsync(descriptor)
    draft.replace(path)
