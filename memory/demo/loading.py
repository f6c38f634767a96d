"""Load the sample organisation: all of it once, and never again."""

from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from memory.db_cache import put_note
from memory.demo.conversations import hold
from memory.demo.files import write_workspace
from memory.demo.people import list_writers, make_gateway_key, make_people
from memory.demo.source import conversations, entries, organisation
from memory.demo.writing import actor_of, write_all


@dataclass(frozen=True, slots=True)
class Loaded:
    """The person to look around as, and what was made: nothing the second time."""

    reader: User
    people: int = 0
    records: int = 0
    files: int = 0


@transaction.atomic
def load() -> Loaded:
    """Make the sample organisation unless it is there.

    Raises Conflict when one of its people's names belongs to somebody else.
    """
    sample = organisation()
    reader_name = sample["reader"]
    reader = User.objects.filter(
        username=reader_name, email=f"{reader_name}@arvenne.example"
    ).first()
    if reader is not None:
        return Loaded(reader)
    people = make_people(sample["people"], sample["identities"])
    list_writers(sample["writers"])
    owner = people[sample["gateway"]["owner"]]
    gateway = make_gateway_key(owner, sample["gateway"]["label"])
    loaded = people[reader_name].date_joined
    written = entries()
    write_all(written, people=people, gateway=gateway, loaded=loaded)
    note = sample["schema_note"]
    put_note(
        actor=actor_of(owner, gateway, "cron"),
        source=note["source"],
        object_name=note["object"],
        content=note["content"],
    )
    files = [
        write_workspace(agent["slug"], agent["name"], loaded)
        for agent in sample["agents"]
    ]
    for talk in conversations():
        hold(talk, people=people, gateway=gateway, loaded=loaded)
    return Loaded(people[reader_name], len(people), len(written) + 1, sum(files))
