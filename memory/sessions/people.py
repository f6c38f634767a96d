"""Who takes part: the people a gateway names, found as those it acts for are."""

from collections.abc import Sequence

from accounts.actors import Actor
from accounts.models import ApiKey, User
from accounts.people import person_for_key
from goclaw.lib.errors import GoClawError
from memory import access


def gateway_key(actor: Actor) -> ApiKey:
    """Return the key that the actor came by, if it may hand over conversations.

    Raises Forbidden for everybody else.
    """
    access.can_append(actor).require()
    keys = ApiKey.objects.select_related("owner")
    return keys.get(pk=actor.key_id or 0)


def named_people(key: ApiKey, names: Sequence[str]) -> list[User]:
    """Return the people of usernames and `<channel>:<account>:<sender>` identities.

    Raises what naming them in a request's headers would raise: a key that acts for its
    owner only names nobody else.
    """
    return [_person(key, name, at) for at, name in enumerate(names)]


def _person(key: ApiKey, name: str, at: int) -> User:
    try:
        if ":" in name:
            return person_for_key(key, user_name=None, identity=name)
        return person_for_key(key, user_name=name, identity=None)
    except GoClawError as error:
        error.field = f"participants.{at}"
        raise
