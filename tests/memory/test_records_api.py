"""Records through the API: write, dedup, edit, forget, restore, purge, expiry, bulk."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memory.models import Memory, Revision
from tests.people import Api

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"


def error_of(answer: Any) -> dict[str, Any]:
    body = answer.json()
    assert set(body) == {"error"}
    assert body["error"]["code"]
    assert body["error"]["message"]
    assert body["error"]["request_id"]
    return body["error"]


BAD_INPUT = {
    "no content": ({"content": ""}, 400, "empty_content"),
    "blank content": ({"content": " \n\t\u3000"}, 400, "empty_content"),
    "no content at all": ({}, 400, "empty_content"),
    "too large": ({"content": "x" * (64 * 1024 + 1)}, 413, "content_too_large"),
    "too large in bytes": ({"content": "界" * 22_000}, 413, "content_too_large"),
    "NUL": ({"content": "a\0b"}, 400, "nul_character"),
    "NUL in metadata": (
        {"content": "a", "metadata": {"k": ["\0"]}},
        400,
        "nul_character",
    ),
    "NUL in a metadata key": (
        {"content": "a", "metadata": {"\0": 1}},
        400,
        "nul_character",
    ),
    "content is a number": ({"content": 5}, 400, "invalid"),
    "content is null": ({"content": None}, 400, "invalid"),
    "unknown scope": ({"content": "a", "scope": "mine"}, 400, "unknown_scope"),
    "system scope": ({"content": "a", "scope": "wiki"}, 400, "unknown_scope"),
    "unknown kind": ({"content": "a", "kind": "thought"}, 400, "unknown_kind"),
    "importance 0": ({"content": "a", "importance": 0}, 400, "invalid"),
    "importance 11": ({"content": "a", "importance": 11}, 400, "invalid"),
    "importance beyond integers": (
        {"content": "a", "importance": 10**30},
        400,
        "invalid",
    ),
    "malformed date": ({"content": "a", "observed_at": "yesterday"}, 400, "invalid"),
    "only a year": ({"content": "a", "observed_at": "2023"}, 400, "invalid"),
    "30 February": ({"content": "a", "observed_at": "2026-02-30"}, 400, "invalid"),
    "100,000 years": ({"content": "a", "observed_at": "102026-01-01"}, 400, "invalid"),
    "before the calendar": (
        {"content": "a", "observed_at": "0001-01-01T00:00:00+14:00"},
        400,
        "invalid",
    ),
    "observed in the future": (
        {"content": "a", "observed_at": "2999-01-01"},
        400,
        "observed_in_future",
    ),
    "expired already": ({"content": "a", "expires_at": "2001-01-01"}, 400, "invalid"),
    "tag with a space": ({"content": "a", "tags": ["two words"]}, 400, "invalid"),
    "upper-case tag": ({"content": "a", "tags": ["Ops"]}, 400, "invalid"),
    "too many tags": (
        {"content": "a", "tags": [f"t{n}" for n in range(51)]},
        400,
        "invalid",
    ),
    "malformed domain": ({"content": "a", "domain": "../x"}, 400, "invalid"),
    "malformed key": ({"content": "a", "key": "-x", "value": 1}, 400, "invalid"),
    "value without key": ({"content": "a", "value": 1}, 400, "invalid"),
    "sequence without position": (
        {"content": "a", "sequence": {"id": "s"}},
        400,
        "invalid",
    ),
    "position beyond integers": (
        {"content": "a", "sequence": {"id": "s", "position": 2**40}},
        400,
        "invalid",
    ),
    "metadata too large": (
        {"content": "a", "metadata": {"k": "x" * 20_000}},
        413,
        "content_too_large",
    ),
    "metadata is a list": ({"content": "a", "metadata": []}, 400, "invalid"),
    "provenance is not for requests": (
        {"content": "a", "origin": "person"},
        400,
        "unknown_field",
    ),
    "a typing mistake": ({"content": "a", "domian": "x"}, 400, "unknown_field"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_named_and_changes_nothing(alice_api: Api, case: str) -> None:
    fields, status, code = BAD_INPUT[case]
    answer = alice_api.post(RECORDS, {"scope": "personal"} | fields)
    assert answer.status_code == status
    assert error_of(answer)["code"] == code
    assert not Memory.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1]",
        b"null",
        b'"text"',
        b'{"scope": "personal", "content": "a", "metadata": {"x": NaN}}',
        b'{"scope": "personal", "content": "a", "metadata": {"x": 1e999}}',
        b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"scope": "personal", "content": "a", "metadata": {"a": '
        + b'{"a":' * 40
        + b"1"
        + b"}" * 41
        + b"}",
        b"\xff\xfe",
        rb'{"scope": "personal", "content": "\ud83d"}',
        rb'{"scope": "personal", "content": "a", "\udc00": 1}',
        rb'{"scope": "\uD83D", "content": "a"}',
        b'{"importance": ' + b"9" * 5000 + b"}",
    ],
)
def test_bodies_that_are_no_usable_json(alice_api: Api, body: bytes) -> None:
    from rest_framework.test import APIClient

    answer = APIClient(raise_request_exception=True).generic(
        "POST",
        "/api/memory/records",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {alice_api.secret}"},
    )
    assert answer.status_code == 400
    error_of(answer)


TEXTS = [
    "  leading and trailing \n\n",
    "line\r\nfeeds\rkept",
    "café caf\u0065\u0301 – “quotes” \u200b zero width",
    "日本語 한국어 ไทย العربية עברית हिन्दी",
    "emoji 👩‍👩‍👧‍👦 🏳️‍🌈 \U0001f9ff",
    "<script>alert(1)</script> {{ 7*7 }} %s \\x00 '; DROP TABLE memories; --",
    "\ufeffbyte order mark",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_kept_as_sent(alice_api: Api, text: str) -> None:
    made = alice_api.write(text)
    assert made["content"] == text
    assert alice_api.get(f"{RECORDS}/{made['id']}").json()["content"] == text
    assert Memory.objects.get().content == text


def test_what_a_record_says_of_itself(alice_api: Api) -> None:
    made = alice_api.write(
        "Deploys go out on Tuesdays.",
        kind="decision",
        domain="deploys",
        tags=["weekly", "ops"],
        importance=8,
        metadata={"source": "standup", "n": [1, 2.5, None]},
        observed_at="2026-03-27T10:00:00+02:00",
        sequence={"id": "talk-1", "position": 3},
    )
    assert made["kind"] == "decision"
    assert made["tags"] == ["ops", "weekly"]
    assert made["metadata"] == {"source": "standup", "n": [1, 2.5, None]}
    assert made["observed_at"] == "2026-03-27T08:00:00Z"
    assert made["sequence"] == {"id": "talk-1", "position": 3}
    assert made["provenance"]["origin"] == "agent"
    assert made["provenance"]["created_by"] == "alice"
    assert made["index"]["state"] == "pending"
    assert made["deduplicated"] is False


@pytest.mark.parametrize(
    ("zone", "utc"),
    [
        ("Asia/Tokyo", "2026-03-29T17:30:00Z"),
        ("Europe/Berlin", "2026-03-30T00:30:00Z"),
        ("America/Los_Angeles", "2026-03-30T09:30:00Z"),
        ("Asia/Kathmandu", "2026-03-29T20:45:00Z"),
    ],
)
def test_a_time_without_offset_is_in_the_persons_zone(
    alice: Any, alice_api: Api, zone: str, utc: str
) -> None:
    alice.timezone = zone
    alice.save()
    made = alice_api.write("a", observed_at="2026-03-30T02:30:00")
    assert made["observed_at"] == utc


# --- duplicates ----------------------------------------------------------------------
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


# --- editing -------------------------------------------------------------------------
def test_an_edit_keeps_the_id_and_what_it_was(alice_api: Api) -> None:
    made = alice_api.write("The meeting is on Monday.", tags=["a", "b"])
    path = f"{RECORDS}/{made['id']}"
    answer = alice_api(
        "patch", path, {"content": "The meeting is on Friday.", "tags": ["b", "c"]}
    )
    assert answer.status_code == 200
    changed = answer.json()
    assert changed["id"] == made["id"]
    assert changed["tags"] == ["b", "c"]
    assert changed["version"] == made["version"] + 1
    revision = Revision.objects.get()
    assert revision.via == "edit"
    assert revision.before == {
        "content": "The meeting is on Monday.",
        "tags": ["a", "b"],
    }
    assert alice_api.search("Monday") == []
    assert [hit["id"] for hit in alice_api.search("Friday")] == [made["id"]]


def test_an_edit_that_changes_nothing_leaves_no_trace(alice_api: Api) -> None:
    made = alice_api.write("same", tags=["t"])
    path = f"{RECORDS}/{made['id']}"
    assert (
        alice_api("patch", path, {"content": "same", "tags": ["t"]}).json()["version"]
        == (made["version"])
    )
    assert not Revision.objects.exists()


def test_two_editors_collide_visibly(alice_api: Api) -> None:
    made = alice_api.write("base")
    path = f"{RECORDS}/{made['id']}"
    seen = alice_api.get(path).headers["ETag"]
    assert (
        alice_api("patch", path, {"content": "one"}, If_Match=seen).status_code == 200
    )
    late = alice_api("patch", path, {"content": "two"}, If_Match=seen)
    assert late.status_code == 409
    assert error_of(late)["code"] == "version_conflict"
    assert alice_api.get(path).json()["content"] == "one"


@pytest.mark.parametrize(
    "fields",
    [
        {"content": " "},
        {"importance": 99},
        {"tags": ["A"]},
        {"scope": "global"},
        {"observed_at": None},
        {"kind": "x"},
    ],
)
def test_a_bad_edit_changes_nothing(alice_api: Api, fields: dict[str, Any]) -> None:
    made = alice_api.write("good")
    answer = alice_api("patch", f"{RECORDS}/{made['id']}", fields)
    assert answer.status_code == 400
    error_of(answer)
    assert alice_api.get(f"{RECORDS}/{made['id']}").json()["version"] == 1


# --- forgetting ----------------------------------------------------------------------
def test_forget_restore(alice_api: Api, run_jobs: Callable[[], int]) -> None:
    made = alice_api.write("the wombat sleeps")
    run_jobs()
    path = f"{RECORDS}/{made['id']}"
    assert alice_api("delete", path).status_code == 204
    assert alice_api.search("wombat") == []
    assert alice_api.get(RECORDS).json()["results"] == []
    assert not Memory.objects.get().chunks.exists()
    assert alice_api("delete", path).status_code == 404
    assert alice_api("patch", path, {"content": "x"}).status_code == 404
    bin_ = alice_api.get(RECORDS, forgotten="true").json()["results"]
    assert [row["id"] for row in bin_] == [made["id"]]
    assert alice_api.post(f"{path}/restore").status_code == 200
    assert [hit["id"] for hit in alice_api.search("wombat")] == [made["id"]]
    assert alice_api.post(f"{path}/restore").status_code == 404


def test_a_fact_that_was_set_again_is_not_restored_over_it(alice_api: Api) -> None:
    path = "/memory/facts/personal/-/k"
    first = alice_api("put", path, {"value": 1}).json()
    assert alice_api("delete", path).status_code == 204
    alice_api("put", path, {"value": 2})
    answer = alice_api.post(f"{RECORDS}/{first['id']}/restore")
    assert answer.status_code == 409
    assert error_of(answer)["code"] == "key_taken"


def test_purging_is_for_administrators(admin_api: Api, cron_api: Api) -> None:
    made = cron_api.write("to be purged", scope="agent_notes")
    path = f"{RECORDS}/{made['id']}?purge=true"
    assert cron_api("delete", path).status_code == 403
    assert admin_api("delete", path).status_code == 204
    assert not Memory.objects.exists()


# --- many ----------------------------------------------------------------------------
def test_bulk_answers_item_by_item(alice_api: Api) -> None:
    items: list[Any] = [
        {"scope": "personal", "content": "one"},
        {"scope": "personal", "content": ""},
        {"scope": "global", "content": "two"},
        {"scope": "personal", "content": "one"},
        "no record",
        {"scope": "personal", "content": "three", "observed_at": "nope"},
        {"scope": "personal", "content": "four"},
    ]
    answer = alice_api.post(f"{RECORDS}/bulk", {"records": items})
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [r.get("status", r.get("error", {}).get("code")) for r in results] == [
        201,
        "empty_content",
        "forbidden",
        200,
        "invalid",
        "invalid",
        201,
    ]
    assert results[0]["id"] == results[3]["id"]
    assert Memory.objects.count() == 2


@pytest.mark.parametrize("count", [0, 501])
def test_bulk_takes_1_to_500(alice_api: Api, count: int) -> None:
    items = [{"scope": "personal", "content": str(n)} for n in range(count)]
    answer = alice_api.post(f"{RECORDS}/bulk", {"records": items})
    assert answer.status_code == 400
    error_of(answer)


# --- idempotency ---------------------------------------------------------------------
def test_an_idempotency_key_makes_a_retry_harmless(alice_api: Api) -> None:
    body = {"scope": "personal", "content": "once", "observed_at": "2026-01-01"}
    first = alice_api.post(RECORDS, body, Idempotency_Key="abc")
    again = alice_api.post(RECORDS, body, Idempotency_Key="abc")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replay"] == "true"
    other = alice_api.post(RECORDS, body | {"content": "x"}, Idempotency_Key="abc")
    assert other.status_code == 422
    assert error_of(other)["code"] == "idempotency_key_reused"
    assert Memory.objects.count() == 1


def test_an_idempotency_key_is_the_persons_own_and_kept_a_day(
    alice_api: Api, bob_api: Api
) -> None:
    body = {"scope": "personal", "content": "once"}
    with time_machine.travel("2026-06-01T10:00Z", tick=False) as clock:
        alice_api.post(RECORDS, body, Idempotency_Key="abc")
        bob_api.post(RECORDS, body, Idempotency_Key="abc")
        assert Memory.objects.count() == 2
        clock.shift(timedelta(hours=24, seconds=1))
        alice_api.post(RECORDS, body, Idempotency_Key="abc")
        assert Memory.objects.count() == 3


# --- lists ---------------------------------------------------------------------------
def test_a_list_goes_through_all_pages_while_rows_come_and_go(alice_api: Api) -> None:
    made = [alice_api.write(f"number {n}")["id"] for n in range(25)]
    seen: list[str] = []
    url: str | None = f"{RECORDS}?page_size=10"
    while url:
        page = alice_api.get(url.partition("/api")[2] or url).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]
        alice_api.write(f"newcomer {len(seen)}")
    assert seen == made[::-1]


@pytest.mark.parametrize(
    "query",
    [
        "scope=mine",
        "kind=x",
        "since=never",
        "page_size=0",
        "page_size=1000",
        "colour=red",
        "forgotten=perhaps",
        "cursor=nonsense",
        "domain=%00",
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(alice_api: Api, query: str) -> None:
    answer = alice_api.get(f"{RECORDS}?{query}")
    assert answer.status_code in {400, 404}
    error_of(answer)


def test_filters_narrow_the_list(alice_api: Api) -> None:
    alice_api.write("a", kind="fact", domain="db", tags=["x", "y"])
    alice_api.write("b", kind="note", domain="db", tags=["x"])
    alice_api.write("c", observed_at="2020-01-01")

    def contents(**params: Any) -> set[str]:
        rows = alice_api.get(RECORDS, **params).json()["results"]
        return {row["content"] for row in rows}

    assert contents(domain="db") == {"a", "b"}
    assert contents(kind="fact") == {"a"}
    assert contents(tag="x") == {"a", "b"}
    assert contents(tag="y") == {"a"}
    assert contents(until="2021-01-01") == {"c"}
    assert contents(since="2021-01-01") == {"a", "b"}
    assert contents(scope="agent_notes") == set()
    assert contents(tag="_") == contents(tag="%") == set()


def test_lists_cost_a_fixed_number_of_queries(
    alice_api: Api, django_assert_num_queries: Callable[..., Any]
) -> None:
    def ask() -> None:
        assert alice_api.get(RECORDS, page_size=200).status_code == 200

    alice_api.write("one", tags=["a"])
    ask()
    with django_assert_num_queries(_count(ask)):
        ask()
    few = _count(ask)
    for n in range(20):
        alice_api.write(f"more {n}", tags=["a", "b"])
    assert _count(ask) == few


def _count(ask: Callable[[], None]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        ask()
    return len(queries)


def test_the_answer_is_json_even_for_what_is_not_there(alice_api: Api) -> None:
    for path in ("/nothing", "/memory/records/not-an-id"):
        answer = alice_api.get(path)
        assert answer.status_code == 404
        assert json.loads(answer.content)["error"]["code"] == "not_found"


def test_times_are_aware(alice_api: Api) -> None:
    alice_api.write("now")
    assert abs(timezone.now() - Memory.objects.get().observed_at) < timedelta(minutes=1)
