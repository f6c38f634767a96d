"""Make the people of the sample, their roles and identities, and the gateway's key."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import Group

from accounts import keys
from accounts.actors import system_actor
from accounts.key_rules import KeyRights
from accounts.kinds import KEY_RUNS
from accounts.models import ApiKey, Identity, User
from goclaw.lib.errors import Conflict
from memory.spaces import list_writer


def make_people(
    people: Sequence[dict[str, Any]], identities: Sequence[dict[str, str]]
) -> dict[str, User]:
    """Make people without passwords; return them by user name.

    Raises Conflict when a name is taken, since the sample must not become somebody.
    """
    made = {}
    for person in people:
        name = person["username"]
        if User.objects.filter(username=name).exists():
            raise Conflict(f"There is somebody called {name} already.")
        fields = {key: value for key, value in person.items() if key != "roles"}
        made[name] = User.objects.create_user(**fields, email=f"{name}@arvenne.example")
        for role in person["roles"]:
            made[name].groups.add(Group.objects.get_or_create(name=role)[0])
    for identity in identities:
        fields = {key: value for key, value in identity.items() if key != "username"}
        Identity.objects.create(user=made[identity["username"]], **fields)
    return made


def list_writers(entries: Sequence[str]) -> None:
    """Let the roles of the sample write where they need to."""
    for entry in entries:
        list_writer(entry)


def make_gateway_key(owner: User, label: str) -> ApiKey:
    """Make the key its agents write with; nobody gets to know the secret."""
    key, _ = keys.create(
        actor=system_actor(),
        owner=owner,
        label=label,
        rights=KeyRights(
            runs=KEY_RUNS, may_act_for_others=True, may_write_db_cache=True
        ),
    )
    return key
