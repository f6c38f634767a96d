"""Decisions over REST: listed, explained, taken back; jobs are queued."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from memory.models import Memory
from tests.people import Api

OLD, NEW = "The staging DB is 10.0.4.12", "The staging DB is 10.0.4.13"


def _note(api: Api, content: str, **fields: Any) -> Any:
    return api.write(content, "agent_notes", **{"kind": "fact"} | fields)


@pytest.fixture
def decided(admin_api: Api) -> dict[str, Any]:
    """The revision of a rule's decision."""
    _note(admin_api, OLD)
    _note(admin_api, NEW)
    (revision,) = admin_api.get("/memory/revisions").json()["results"]
    return dict(revision)


def test_a_decision_tells_all_about_itself(
    admin_api: Api, decided: dict[str, Any]
) -> None:
    assert decided["content"] == OLD
    assert decided["replacement"] == NEW
    assert decided["via"] == "rule:address"
    assert decided["reason"]
    assert decided["run_id"]
    assert decided["actor"] == "admin"
    assert decided["undone_at"] is None


def test_a_retired_record_says_why(admin_api: Api, decided: dict[str, Any]) -> None:
    read = admin_api.get(f"/memory/records/{decided['memory_id']}").json()
    assert read["superseded_by"] == decided["replaced_by"]
    assert read["superseded_at"]
    assert read["superseded_reason"] == decided["reason"]
    listed = admin_api.get("/memory/records", include_history=True).json()["results"]
    reasons = {row["content"]: row["superseded_reason"] for row in listed}
    assert reasons == {OLD: decided["reason"], NEW: None}


@pytest.mark.parametrize(
    ("by", "of"),
    [("memory_id", "memory_id"), ("run_id", "run_id"), ("revision_id", "id")],
)
def test_undo(admin_api: Api, decided: dict[str, Any], by: str, of: str) -> None:
    body = {by: decided[of]}
    answer = admin_api.post("/memory/revisions/undo", body)
    assert answer.status_code == 200, answer.json()
    assert answer.json() == {"restored": [decided["memory_id"]], "retired": []}
    assert len(admin_api.search("staging DB")) == 2
    twice = admin_api.post("/memory/revisions/undo", body)
    assert twice.status_code == 409
    assert twice.json()["error"]["code"] == "already_undone"
    undo, first = admin_api.get("/memory/revisions").json()["results"]
    assert (undo["via"], undo["undoes"]) == ("undo", decided["id"])
    assert first["undone_by"] == "admin"


def test_lists_are_filtered(admin_api: Api, decided: dict[str, Any]) -> None:
    def ids(**params: Any) -> list[str]:
        rows = admin_api.get("/memory/revisions", **params).json()["results"]
        return [row["id"] for row in rows]

    assert ids(memory_id=decided["memory_id"]) == [decided["id"]]
    assert ids(memory_id=decided["replaced_by"]) == []
    assert ids(run_id=decided["run_id"], via="rule:address") == [decided["id"]]
    assert ids(via="judge") == []
    assert ids(undone=True) == []
    assert ids(undone=False) == [decided["id"]]
    assert admin_api.get("/memory/revisions", colour="red").status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"memory_id": "x"}, 400),
        ({"memory_id": None}, 400),
        ({"run_id": ""}, 404),
        ({"run_id": "a\0b"}, 400),
        ({"run_id": "nobody's"}, 404),
        ({"run_id": "x" * 500}, 400),
        ({"memory_id": "3f0f1f2e-0000-4000-8000-000000000000"}, 404),
        ({"memory_id": "3f0f1f2e-0000-4000-8000-000000000000", "run_id": "r"}, 400),
        ({"what": "ever"}, 400),
    ],
)
def test_bad_undo(admin_api: Api, body: dict[str, Any], status: int) -> None:
    answer = admin_api.post("/memory/revisions/undo", body)
    assert answer.status_code == status, answer.json()


def test_others_read_but_do_not_undo(
    alice_api: Api, cron_api: Api, decided: dict[str, Any]
) -> None:
    assert alice_api.get("/memory/revisions").json()["results"][0] == decided
    for api in (alice_api, cron_api):
        answer = api.post("/memory/revisions/undo", {"run_id": decided["run_id"]})
        assert answer.status_code == 403


def test_personal_decisions_are_seen_by_nobody_else(
    alice_api: Api, admin_api: Api, run_jobs: Callable[[], int]
) -> None:
    for content in ("I like green tea", "I like green tea."):
        alice_api.write(content)
    queued = alice_api.post("/memory/dedupe", {"scope": "personal"})
    assert queued.status_code == 202
    run_jobs()
    assert len(alice_api.search("green tea")) == 1
    (revision,) = alice_api.get("/memory/revisions").json()["results"]
    assert admin_api.get("/memory/revisions").json()["results"] == []
    for by in ("memory_id", "run_id"):
        hidden = admin_api.post("/memory/revisions/undo", {by: revision[by]})
        assert hidden.status_code == 404
    undone = alice_api.post("/memory/revisions/undo", {"run_id": revision["run_id"]})
    assert undone.status_code == 200
    assert len(alice_api.search("green tea")) == 2


def test_a_dry_run_leaves_its_report_in_the_job(
    admin_api: Api, run_jobs: Callable[[], int]
) -> None:
    _note(admin_api, "The shop port is 80", domain="a")
    _note(admin_api, "The shop port is 81", domain="b")
    Memory.objects.update(domain="")
    job = admin_api.post("/memory/revise", {"dry_run": True}).json()
    run_jobs()
    done = admin_api.get(f"/jobs/{job['id']}").json()
    assert done["counts"]["retired_by_rules"] == 1
    assert "The shop port is 81 (rule field)" in done["report"]
    assert len(admin_api.search("shop port")) == 2


def test_who_may_start_them(alice_api: Api, cron_api: Api) -> None:
    for api in (alice_api, cron_api):
        assert api.post("/memory/revise").status_code == 403
        assert api.post("/memory/dedupe").status_code == 403
    assert alice_api.post("/memory/dedupe", {"ratio": 9}).status_code == 400


def test_a_list_takes_the_same_queries_at_any_length(
    admin_api: Api, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for last in range(12, 20):
        _note(admin_api, f"The staging DB is 10.0.4.{last}")
    with django_assert_max_num_queries(8):
        rows = admin_api.get("/memory/revisions").json()["results"]
    assert len(rows) == 7
