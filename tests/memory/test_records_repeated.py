"""The same text twice is one record, and a fact that is set again supersedes."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from memory.models import Job, JobKind, Memory, Revision
from tests.people import Api

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"


def test_the_same_text_within_a_day_is_the_same_record(alice_api: Api) -> None:
    with time_machine.travel("2026-06-01T10:00Z", tick=False) as clock:
        first = alice_api.write("The printer is on floor 3.")
        clock.shift(timedelta(hours=23, minutes=59))
        answer = alice_api.post(
            RECORDS, {"scope": "personal", "content": "The printer is on floor 3."}
        )
        assert answer.status_code == 200
        assert answer.json()["deduplicated"] is True
        assert answer.json()["id"] == first["id"]
        assert "10:00 UTC" in answer.json()["reason"]
        clock.shift(timedelta(minutes=2))
        again = alice_api.write("The printer is on floor 3.")
        assert again["id"] != first["id"]


def test_what_differs_is_another_record(alice_api: Api, cron_api: Api) -> None:
    variants: list[dict[str, Any]] = [
        {"content": "x"},
        {"content": "x "},
        {"content": "X"},
        {"content": "x", "kind": "fact"},
        {"content": "x", "domain": "d"},
        {"content": "x", "key": "k"},
        {"content": "x", "sequence": {"id": "s", "position": 0}},
        {"content": "x", "sequence": {"id": "s", "position": 1}},
        {"content": "x", "observed_at": "2026-01-01"},
        {"content": "x", "observed_at": "2026-01-02"},
        {"content": "not x"},
    ]
    ids = {alice_api.write(**fields)["id"] for fields in variants}
    ids.add(cron_api.write("x", scope="agent_notes")["id"])
    assert len(ids) == len(variants) + 1


def test_force_stores_the_same_text_again(alice_api: Api) -> None:
    first = alice_api.write("The printer is on floor 3.")
    assert first["reason"] is None
    again = alice_api.post(
        RECORDS,
        {"scope": "personal", "content": "The printer is on floor 3.", "force": True},
    )
    assert again.status_code == 201
    assert again.json()["deduplicated"] is False
    assert again.json()["id"] != first["id"]
    assert alice_api.write("The printer is on floor 3.")["id"] == first["id"]
    assert Memory.objects.count() == 2


def test_force_in_a_bulk_counts_for_its_item(alice_api: Api) -> None:
    item = {"scope": "personal", "content": "heron"}
    records = [item, item, item | {"force": True}, item | {"force": "perhaps"}]
    answer = alice_api.post(f"{RECORDS}/bulk", {"records": records})
    first, second, third, bad = answer.json()["results"]
    assert second["id"] == first["id"]
    assert second["deduplicated"] is True
    assert "within a day" in second["reason"]
    assert third["id"] != first["id"]
    assert third["status"] == 201
    assert bad["error"]["field"] == "force"
    assert Memory.objects.count() == 2


def test_a_forced_fact_supersedes_the_one_that_says_the_same(alice_api: Api) -> None:
    fields = {"key": "lang", "value": "de", "force": True}
    first, second = (alice_api.write("", **fields)["id"] for _ in range(2))
    assert first != second
    assert alice_api.get(f"{RECORDS}/{first}").json()["superseded_by"] == second
    live = alice_api.get("/memory/facts/personal/-/lang").json()
    assert live["id"] == second


def test_a_forgotten_record_is_no_duplicate(alice_api: Api) -> None:
    first = alice_api.write("again and again")
    alice_api("delete", f"{RECORDS}/{first['id']}")
    assert alice_api.write("again and again")["id"] != first["id"]


# --- keyed facts ---------------------------------------------------------------------
def test_setting_a_fact_again_supersedes_it(alice_api: Api) -> None:
    path = "/memory/facts/personal/printers/default"
    first = alice_api("put", path, {"value": "floor-3"})
    assert first.status_code == 201
    second = alice_api("put", path, {"value": {"name": "floor-4"}})
    assert second.status_code == 201
    assert alice_api.get(path).json()["value"] == {"name": "floor-4"}
    old = alice_api.get(f"{RECORDS}/{first.json()['id']}").json()
    assert old["superseded"] is True
    assert old["superseded_by"] == second.json()["id"]
    assert "superseded" in old["tags"]
    revision = Revision.objects.get()
    assert (revision.via, str(revision.replacement.uid)) == ("key", second.json()["id"])
    assert [hit["id"] for hit in alice_api.search("default")] == [second.json()["id"]]


def test_setting_the_same_value_changes_nothing(alice_api: Api) -> None:
    path = "/memory/facts/personal/-/lang"
    first = alice_api("put", path, {"value": {"a": 1, "b": 2}}).json()
    again = alice_api("put", path, {"value": {"b": 2, "a": 1}})
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]
    back = alice_api("put", path, {"value": 2}).json()
    assert alice_api("put", path, {"value": {"a": 1, "b": 2}}).json()["id"] not in {
        first["id"],
        back["id"],
    }
    assert Memory.objects.current().count() == 1


def test_a_keyed_fact_is_one_per_owner_domain_and_key(
    alice_api: Api, bob_api: Api
) -> None:
    for api in (alice_api, bob_api):
        for domain in ("a", "b"):
            api("put", f"/memory/facts/personal/{domain}/k", {"value": 1})
    assert Memory.objects.current().count() == 4
    assert len(alice_api.get("/memory/facts").json()["results"]) == 2
    assert len(alice_api.get("/memory/facts", domain="a").json()["results"]) == 1


def test_an_expired_fact_is_gone_that_second(alice_api: Api) -> None:
    path = "/memory/facts/personal/-/otp"
    with time_machine.travel("2026-06-01T10:00Z", tick=False) as clock:
        body = {"value": "wombat", "expires_at": "2026-06-01T10:00:05Z"}
        alice_api("put", path, body)
        clock.shift(4.9)
        assert alice_api.get(path).status_code == 200
        assert len(alice_api.search("wombat")) == 1
        clock.shift(0.2)
        assert alice_api.get(path).status_code == 404
        assert alice_api.search("wombat") == []
        assert alice_api.get("/memory/facts").json()["results"] == []
        assert alice_api.get(RECORDS).json()["results"] == []
        assert alice_api("put", path, {"value": "wombat"}).status_code == 201


@pytest.mark.parametrize(
    "wrong", [{"tags": ["critical"]}, {"tags": ["A"]}, {"expires_at": "2001-01-01"}]
)
def test_a_refused_write_retires_nothing(alice_api: Api, wrong: dict[str, Any]) -> None:
    path = "/memory/facts/personal/-/wifi"
    before = alice_api("put", path, {"value": "one"}).json()
    refused = alice_api("put", path, {"value": "two"} | wrong)
    assert refused.status_code in {400, 403}
    assert (
        alice_api.get(path).json() | {"deduplicated": False, "reason": None} == before
    )
    assert Memory.objects.count() == 1
    assert not Revision.objects.exists()
    assert Job.objects.filter(kind=JobKind.INDEX).count() == 1
