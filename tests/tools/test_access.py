"""Every tool, every kind of actor: what is listed, and what a call does."""

from typing import Any

import pytest

from memory.models import Memory
from tests.people import Api
from tests.tools.calling import names
from tests.world import (
    ACTORS,
    AUTONOMOUS,
    OPEN,
    READERS,
    WRITERS,
    World,
    world,
)

__all__ = ["world"]  # the fixture

pytestmark = pytest.mark.django_db

READING = {"memory_search", "memory_get", "memory_feedback", "wiki_search", "wiki_read"}
WIKI_WRITERS = {
    "user sop",
    "user cron",
    "listed user cron",
    "admin chat",
    "admin shared chat",
    "admin cron",
    "gateway for admin",
    "gateway for admin, direct",
    "gateway for user, cron",
}


def status(api: Api, tool: str, **arguments: Any) -> int:
    """Call a tool; a refusal has its reason and its remedy."""
    answer = api.post(f"/tools/{tool}", arguments)
    if answer.status_code == 403:
        assert answer.json()["error"]["message"]
        assert answer.json()["error"]["remedy"]
    return answer.status_code


@pytest.mark.parametrize("name", ACTORS)
def test_what_is_listed(world: World, name: str) -> None:
    expected = set(READING)
    if WRITERS[name]:
        expected |= {"memory_write", "memory_forget"}
    if name in WIKI_WRITERS:
        expected |= {"wiki_write"}
    listed = names(world.apis[name])
    assert listed & (READING | {"memory_write", "memory_forget", "wiki_write"}) == (
        expected
    )


@pytest.mark.parametrize("name", ACTORS)
def test_who_writes_where(world: World, name: str) -> None:
    api, written = world.apis[name], set()
    for scope in ("personal", "agent_notes", "global", "agent_config"):
        before = Memory.objects.count()
        answer = status(api, "memory_write", scope=scope, content=f"numbat {scope}")
        assert answer in {200, 403}
        assert (Memory.objects.count() > before) == (answer == 200)
        if answer == 200:
            written.add(scope)
    assert written == WRITERS[name]


@pytest.mark.parametrize("name", ACTORS)
def test_who_reads_what(world: World, name: str) -> None:
    """Search, get and feedback agree on what there is; of the rest nobody hears."""
    api, expected = world.apis[name], OPEN | READERS[name]
    readable = {str(world.record(name, scope).uid) for scope in expected}
    everything = {str(memory.uid) for memory in world.records.values()}

    answer = api.post(
        "/tools/memory_search", {"query": "quokka", "max_results": 50, "min_score": 0}
    ).json()
    found = {hit["id"] for hit in answer["data"]["results"]}
    read = {uid for uid in everything if status(api, "memory_get", id=uid) == 200}
    rated = {
        uid
        for uid in everything
        if status(api, "memory_feedback", id=uid, feedback="useful") == 200
    }

    assert found == read == rated == readable
    assert not any(uid in answer["text"] for uid in everything - readable)


@pytest.mark.parametrize("name", ACTORS)
def test_who_forgets_what(world: World, name: str) -> None:
    api = world.apis[name]
    for scope in ("personal", "agent_notes", "global", "agent_config"):
        memory = world.record(name, scope)
        if not WRITERS[name]:
            expected = 403  # the tool is not for them
        elif scope not in OPEN | READERS[name]:
            expected = 404
        else:
            may_write = scope in WRITERS[name] and name not in AUTONOMOUS
            expected = 200 if may_write else 403
        assert status(api, "memory_forget", id=str(memory.uid)) == expected, scope


@pytest.mark.parametrize("name", ACTORS)
def test_who_writes_pages(world: World, name: str) -> None:
    page = {"slug": "zoo", "body": "# Zoo"}
    expected = 200 if name in WIKI_WRITERS else 403
    assert status(world.apis[name], "wiki_write", **page) == expected
