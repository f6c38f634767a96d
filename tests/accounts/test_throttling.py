"""Limits on requests, per key and per person."""

from pathlib import Path
from typing import Any

import pytest

from accounts import throttling
from goclaw.lib.counters import Counters
from tests.accounts.factories import make_admin, make_key, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def three_a_minute(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Allow three requests in a minute that does not end during the test."""
    settings.GOCLAW_THROTTLE_PER_MINUTE = 3
    monkeypatch.setattr(throttling.time, "time", lambda: 1_000_010.0)
    counters = Counters(tmp_path / "requests.sqlite")
    monkeypatch.setattr(throttling, "counters", counters)


def test_a_key_over_its_limit_is_told_when_to_come_back(call: Any) -> None:
    _, secret = make_key(make_user())
    assert [call(secret).status_code for _ in range(3)] == [200, 200, 200]
    answer = call(secret)
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "throttled"
    assert 1 <= int(answer["Retry-After"]) <= 60


def test_the_next_minute_is_new(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = make_key(make_user())
    assert [call(secret).status_code for _ in range(4)][-1] == 429
    monkeypatch.setattr(throttling.time, "time", lambda: 1_000_070.0)
    assert call(secret).status_code == 200


def test_a_person_has_one_limit_over_all_their_keys(call: Any) -> None:
    alice = make_user()
    answers = [call(make_key(alice)[1]).status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]


def test_a_gateways_key_has_one_limit_over_all_people(call: Any) -> None:
    _, secret = make_key(make_user("olga"), may_act_for_others=True)
    names = [make_user(name).username for name in ("a", "b", "c", "d")]
    answers = [call(secret, **{"X-GoClaw-User": name}).status_code for name in names]
    assert answers == [200, 200, 200, 429]


def test_people_do_not_use_up_each_others_limit(call: Any) -> None:
    _, alices = make_key(make_user("alice"))
    _, bobs = make_key(make_user("bob"))
    assert [call(alices).status_code for _ in range(4)][-1] == 429
    assert call(bobs).status_code == 200


def test_the_local_administrators_key_is_never_throttled(call: Any) -> None:
    _, secret = make_key(make_admin(), is_local_admin=True, may_act_for_others=True)
    make_user("alice")
    answers = [call(secret, **{"X-GoClaw-User": "alice"}) for _ in range(5)]
    assert {answer.status_code for answer in answers} == {200}


def test_zero_means_no_limit(call: Any, settings: Any) -> None:
    settings.GOCLAW_THROTTLE_PER_MINUTE = 0
    _, secret = make_key(make_user())
    assert {call(secret).status_code for _ in range(5)} == {200}
