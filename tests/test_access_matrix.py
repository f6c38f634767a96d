"""Every scope, every kind of actor, every action: through the API, as one table."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from memory.models import JobKind, Memory, Space
from memory.queue import enqueue
from tests.world import (
    ACTORS,
    AUTONOMOUS,
    OPEN,
    READERS,
    SCOPES,
    WRITERS,
    World,
    world,
)

__all__ = ["world"]  # the fixture

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ACTORS)
def test_who_writes_where(world: World, name: str) -> None:
    written = set()
    for scope in SCOPES:
        before = Memory.objects.count()
        answer = world.apis[name].post(
            "/memory/records", {"scope": scope, "content": f"numbat {name} {scope}"}
        )
        if answer.status_code == 201:
            written.add(scope.value)
        else:
            assert answer.status_code in {400, 403}, answer.json()
            assert answer.json()["error"]["remedy"]
            assert Memory.objects.count() == before
    assert written == WRITERS[name]


@pytest.mark.parametrize("name", ACTORS)
def test_who_reads_what(world: World, name: str) -> None:
    """Search, get, list, filtered list and stats agree on what there is."""
    api, expected = world.apis[name], OPEN | READERS[name]
    readable = {str(world.record(name, scope).uid) for scope in expected}
    everything = {str(memory.uid) for memory in world.records.values()}

    found = {hit["id"] for hit in api.search("quokka", max_results=50)}
    listed = {
        row["id"] for row in api.get("/memory/records", page_size=200).json()["results"]
    }
    fetched = {
        uid
        for uid in everything
        if api.get(f"/memory/records/{uid}").status_code == 200
    }
    read = {
        uid for uid in everything if api.get("/memory/get", id=uid).status_code == 200
    }
    counted = api.get("/memory/stats").json()["records"]["total"]

    assert found == readable
    assert listed == readable
    assert fetched == readable
    assert read == readable
    assert counted == len(readable)


@pytest.mark.parametrize("name", ACTORS)
def test_who_changes_what(world: World, name: str) -> None:
    """Edit, tag, forget need the right to write; what is not readable is not there."""
    api = world.apis[name]
    for scope in SCOPES:
        memory = world.record(name, scope)
        path = f"/memory/records/{memory.uid}"
        may_write = scope.value in WRITERS[name] and name not in AUTONOMOUS
        if scope.value not in OPEN | READERS[name]:
            expected = 404
        else:
            expected = 200 if may_write else 403
        assert api("patch", path, {"importance": 7}).status_code == expected, scope
        assert api("patch", path, {"tags": ["seen"]}).status_code == expected, scope
        forgotten = api("delete", path).status_code
        assert forgotten == (204 if expected == 200 else expected), scope
        if expected == 200:
            assert api.post(f"{path}/restore").status_code == 200


@pytest.mark.parametrize("name", ACTORS)
def test_reserved_tags(world: World, name: str) -> None:
    """`critical` is for administrators and listed writers, never autonomous runs."""
    api = world.apis[name]
    for scope in WRITERS[name]:
        answer = api.post(
            "/memory/records",
            {"scope": scope, "content": f"bilby {scope}", "tags": ["critical"]},
        )
        trusted = name not in AUTONOMOUS and (
            "admin" in name or (name.startswith("listed") and scope != "personal")
        )
        assert answer.status_code == (201 if trusted else 403), (scope, answer.json())


def test_an_autonomous_run_changes_what_an_autonomous_run_wrote(world: World) -> None:
    made = world.apis["user cron"].write("echidna", scope="agent_notes")
    path = f"/memory/records/{made['id']}"
    assert (
        world.apis["admin webhook"]("patch", path, {"kind": "fact"}).status_code == 200
    )
    assert world.apis["user chat"]("patch", path, {"kind": "note"}).status_code == 403
    assert world.apis["admin chat"]("patch", path, {"kind": "note"}).status_code == 200


def test_nobody_learns_of_a_strangers_record(world: World) -> None:
    """The answer about somebody else's record is that of a record that never was."""
    foreign = world.records["personal", "stranger"].uid
    missing = "00000000-0000-4000-8000-000000000000"
    for name, api in world.apis.items():
        for method, suffix in (
            ("get", ""),
            ("patch", ""),
            ("delete", ""),
            ("post", "/restore"),
        ):
            answers = []
            for uid in (foreign, missing):
                answer = api(
                    method,
                    f"/memory/records/{uid}{suffix}",
                    {} if method != "get" else None,
                )
                error = answer.json()["error"]
                error.pop("request_id")
                answers.append((answer.status_code, error))
            assert answers[0] == answers[1], (name, method)
            assert answers[0][0] == 404


@pytest.mark.parametrize("name", ACTORS)
def test_who_administrates(world: World, name: str) -> None:
    """Purge, make anew, see all jobs, metrics, size: administrators at work only."""
    api = world.apis[name]
    may = name in {"admin chat", "gateway for admin, direct"}
    assert api.post("/memory/reindex").status_code == (202 if may else 403)
    stranger = enqueue(JobKind.PRUNE)
    assert (api.get(f"/jobs/{stranger.uid}").status_code == 200) == may
    storage = api.get("/memory/stats").json()["storage"]
    assert (storage["database_bytes"] is not None) == may
    headers = {"Authorization": f"Bearer {api.secret}"} | api.headers
    metrics = APIClient().get("/metrics", headers=headers)
    assert metrics.status_code == (200 if may else 403)
    for scope in WRITERS[name]:
        path = f"/memory/records/{world.record(name, scope).uid}?purge=true"
        answer = api("delete", path)
        assert answer.status_code in ({204} if may else {403, 404}), scope


def test_global_without_listing(world: World) -> None:
    """Switched off, the list counts for nobody, and administrators write."""
    Space.objects.filter(kind="global").update(listed_writers_enabled=False)
    body = {"scope": "global", "content": "potoroo"}
    assert (
        world.apis["listed user chat"].post("/memory/records", body).status_code == 403
    )
    assert world.apis["admin chat"].post("/memory/records", body).status_code == 201
    assert world.apis["admin cron"].post("/memory/records", body).status_code == 403


def test_refusals_point_to_what_would_work(world: World) -> None:
    body = {"scope": "global", "content": "potoroo"}
    refused = world.apis["user chat"].post("/memory/records", body).json()["error"]
    assert "personal" in refused["remedy"]
    refused = world.apis["admin chat"].post("/memory/records", body).json()["error"]
    page = Space.objects.get(kind="global").pk
    assert f"/admin/memory/space/{page}/change/" in refused["remedy"]


def test_permission_costs_a_fixed_number_of_queries(
    world: World, django_assert_max_num_queries: Callable[..., CaptureQueriesContext]
) -> None:
    assert connection.vendor
    with django_assert_max_num_queries(9):
        world.apis["listed by group"].get("/memory/records")
