"""Find sessions; somebody else's is as missing as one that never was."""

from uuid import UUID

from accounts.actors import Actor
from goclaw.lib.errors import NotFound
from memory.models import Session


def find(*, actor: Actor, uid: UUID, for_update: bool = False) -> Session:
    """Return a session whose texts the actor may read.

    With `for_update`, inside a transaction, nobody else changes it until that ends.
    """
    sessions = Session.objects.readable_by(actor).select_related("agent", "person")
    if for_update:
        sessions = sessions.select_for_update(of=("self",))
    session = sessions.filter(uid=uid).first()
    if session is None:
        raise missing()
    return session


def missing() -> NotFound:
    """Return the one answer for what is not there, or not there for the actor."""
    return NotFound("There is no such session.")
