"""Every kind of actor, and a record of every scope."""

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import Group, Permission

from accounts.actors import actor_for_user
from accounts.models import User
from memory import records
from memory.drafts import Draft
from memory.mirrors import sync_document
from memory.models import Memory, Space, SpaceGroupPermission, SpaceUserPermission
from memory.scopes import Origin, Scope
from tests.people import Api, api_for, make_admin, make_user

SCOPES = list(Scope)

# Who may write (W) where. Absent means refused. `own` is the actor's own space.
WRITERS = {
    "user chat": {"personal"},
    "user shared chat": set(),
    "user sop": {"agent_notes"},
    "user cron": {"agent_notes"},
    "user webhook": {"agent_notes"},
    "listed user chat": {"personal", "agent_notes", "global", "agent_config"},
    "listed by group": {"personal", "agent_notes", "global", "agent_config"},
    "listed user cron": {"agent_notes"},
    "admin chat": {"personal", "agent_notes", "agent_config"},
    "admin shared chat": {"agent_notes", "agent_config"},
    "admin cron": {"agent_notes"},
    "admin webhook": {"agent_notes"},
    "gateway for user": set(),
    "gateway for user, direct": {"personal"},
    "gateway for admin": {"agent_notes", "agent_config"},
    "gateway for admin, direct": {"personal", "agent_notes", "agent_config"},
    "gateway for user, cron": {"agent_notes"},
}
# Who reads what, beyond the scopes that everyone reads.
OPEN = {"agent_notes", "global", "wiki", "wikijs", "db_cache", "workspace"}
READERS = {
    "user chat": {"personal"},
    "user shared chat": set(),
    "user sop": set(),
    "user cron": set(),
    "user webhook": set(),
    "listed user chat": {"personal"},
    "listed by group": {"personal"},
    "listed user cron": set(),
    "admin chat": {"personal", "agent_config"},
    "admin shared chat": set(),
    "admin cron": set(),
    "admin webhook": set(),
    "gateway for user": set(),
    "gateway for user, direct": {"personal"},
    "gateway for admin": set(),
    "gateway for admin, direct": {"personal", "agent_config"},
    "gateway for user, cron": set(),
}
# What an autonomous run did not write, it does not change.
AUTONOMOUS = {
    name for name in WRITERS if name.split()[-1] in {"sop", "cron", "webhook"}
}
ACTORS = list(WRITERS)


@dataclass
class World:
    """The actors by name, each with the person it acts for, and a record a scope."""

    apis: dict[str, Api]
    people: dict[str, User]
    records: dict[tuple[str, str], Memory]

    def record(self, actor: str, scope: str) -> Memory:
        """Return the record of a scope, the personal one being the actor's own."""
        owner = self.people[actor].username if scope == Scope.PERSONAL else ""
        return self.records[scope, owner]


@pytest.fixture
def world(settings: object) -> World:
    user, admin = make_user("user"), make_admin("chief")
    listed, member, stranger = map(make_user, ("listed", "member", "stranger"))
    group = Group.objects.create(name="editors")
    member.groups.add(group)
    permission = Permission.objects.get(codename="write_space")
    for scope in ("agent_notes", "global", "agent_config"):
        space = Space.objects.get(kind=scope, path="")
        SpaceUserPermission.objects.create(
            permission=permission, user=listed, content_object=space
        )
        SpaceGroupPermission.objects.create(
            permission=permission, group=group, content_object=space
        )
    gateway = api_for(make_user("gateway"), may_act_for_others=True)

    def through_gateway(name: str, run: str = "chat", **headers: str) -> Api:
        names = {"X-GoClaw-User": name, "X-GoClaw-Run": run}
        return Api(gateway.secret, names | headers)

    direct = {"X-GoClaw-Conversation": "direct"}
    shared = {"X-GoClaw-Conversation": "shared"}
    chat, chief = api_for(user), api_for(admin)
    apis = {
        "user chat": chat,
        "user shared chat": Api(chat.secret, chat.headers | shared),
        "user sop": api_for(user, run="sop"),
        "user cron": api_for(user, run="cron"),
        "user webhook": api_for(user, run="webhook"),
        "listed user chat": api_for(listed),
        "listed by group": api_for(member),
        "listed user cron": api_for(listed, run="cron"),
        "admin chat": chief,
        "admin shared chat": Api(chief.secret, chief.headers | shared),
        "admin cron": api_for(admin, run="cron"),
        "admin webhook": api_for(admin, run="webhook"),
        "gateway for user": through_gateway("user"),
        "gateway for user, direct": through_gateway("user", **direct),
        "gateway for admin": through_gateway("chief"),
        "gateway for admin, direct": through_gateway("chief", **direct),
        "gateway for user, cron": through_gateway("user", run="cron"),
    }
    by_word = {"user": user, "admin": admin, "listed": listed}
    people = {
        name: member
        if name == "listed by group"
        else by_word[name.removeprefix("gateway for ").split()[0].strip(",")]
        for name in apis
    }
    return World(apis, people, _one_of_each([user, admin, listed, member, stranger]))


def _one_of_each(people: list[User]) -> dict[tuple[str, str], Memory]:
    made = {}
    for person in people:
        draft = Draft(scope="personal", content=f"quokka of {person.username}")
        written = records.write(actor=actor_for_user(person), draft=draft)
        made["personal", person.username] = written.memory
    for scope in SCOPES:
        if scope == Scope.PERSONAL:
            continue
        made[scope, ""] = sync_document(
            space=Space.objects.get(kind=scope, path=""),
            agent="",
            source_key=f"matrix/{scope}",
            title="",
            content=f"quokka in {scope}",
            kind="note",
            observed_at=people[0].date_joined,
            origin=Origin.SYSTEM,
        )
    return made
