"""Records are written through the API: what is refused, and what is kept of it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory.models import Memory
from tests.people import Api, error_of

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"


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


def test_the_answer_is_json_even_for_what_is_not_there(alice_api: Api) -> None:
    for path in ("/nothing", "/memory/records/not-an-id"):
        answer = alice_api.get(path)
        assert answer.status_code == 404
        assert json.loads(answer.content)["error"]["code"] == "not_found"


def test_times_are_aware(alice_api: Api) -> None:
    alice_api.write("now")
    assert abs(timezone.now() - Memory.objects.get().observed_at) < timedelta(minutes=1)
