"""Zips that wait for their import, in the storage of files, named by no row.

Whoever sent one gets a signed token for it; with that they may begin the import within
a day. What nobody comes back for goes with the purge of files.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import IO

from django.core import signing
from django.core.files.storage import default_storage

from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from wiki import storing

WAITS = timedelta(hours=20)
"""How long a token is good; less than the day after which the purge comes."""
_SALT = "wiki.importing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A zip in the storage: where, its bytes, and below which section it goes."""

    key: str
    size: int
    under: str

    def token_for(self, actor: Actor) -> str:
        """Return what the actor proves with that it is theirs."""
        said = [self.key, self.size, self.under, actor.user_id]
        return signing.dumps(said, salt=_SALT)


def keep(file: IO[bytes], *, under: str) -> Kept:
    """Put a zip into the storage; nothing is checked."""
    stored = storing.store(file)
    return Kept(key=stored.key, size=stored.size, under=under)


def kept_by(actor: Actor, token: str) -> Kept:
    """Return the zip of a token; raises BadInput when it is too old, or another's."""
    try:
        said = signing.loads(token, salt=_SALT, max_age=WAITS)
    except signing.BadSignature:
        raise gone() from None
    key, size, under, user_id = said
    if user_id != actor.user_id:
        raise gone()
    return Kept(key=key, size=size, under=under)


def opened(kept: Kept) -> IO[bytes]:
    """Return the zip to read from; raises BadInput when it is gone."""
    try:
        return default_storage.open(kept.key, "rb")
    except FileNotFoundError:
        raise gone() from None


def gone() -> BadInput:
    """Return the refusal for a zip that is not there any more."""
    return BadInput(
        "The zip is not kept any longer.",
        code="upload_gone",
        field="file",
        remedy="Send it again.",
    )
