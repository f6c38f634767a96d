"""Many records at once, and requests that are sent again."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from memory.models import Memory
from tests.people import Api, error_of

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"


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
