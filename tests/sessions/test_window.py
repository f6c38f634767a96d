"""The window: the newest turns that fit, a result never without its call."""

import pytest

from tests.sessions.talking import opened, said, say

pytestmark = pytest.mark.django_db


def window(api, session, **limits):
    return api.get(f"{session}/window", **limits).json()


def contents(found):
    return [message["content"] for message in found["messages"]]


def called(*ids):
    return said("", "assistant", tool_calls=[{"id": i, "name": "t"} for i in ids])


def result(content, call=""):
    return said(content, "tool", tool_call_id=call)


def test_the_newest_that_fit_oldest_first(alice_api):
    session = opened(alice_api)
    say(alice_api, session, *(f"message {n}" for n in range(10)))
    found = window(alice_api, session, max_messages=3)
    assert contents(found) == ["message 7", "message 8", "message 9"]
    assert found["skipped"] == 7
    assert len(window(alice_api, session)["messages"]) == 10
    by_tokens = window(alice_api, session, max_tokens=found["tokens"])
    assert contents(by_tokens) == contents(found)
    assert len(window(alice_api, session, max_tokens=8)["messages"]) == 2


def test_a_call_and_its_results_come_together_or_not_at_all(alice_api):
    session = opened(alice_api)
    say(
        alice_api,
        session,
        "question",
        called("a", "b"),
        result("A", "a"),
        result("B", "b"),
        said("answer", "assistant"),
    )
    assert contents(window(alice_api, session, max_messages=3)) == ["answer"]
    assert contents(window(alice_api, session, max_messages=4)) == [
        "",
        "A",
        "B",
        "answer",
    ]


def test_a_result_without_an_id_belongs_to_the_turn_before(alice_api):
    session = opened(alice_api)
    say(alice_api, session, "question", said("let me see", "assistant"), result("A"))
    say(alice_api, session, result("B"))
    assert contents(window(alice_api, session, max_messages=2)) == []
    assert contents(window(alice_api, session, max_messages=3)) == [
        "let me see",
        "A",
        "B",
    ]


def test_a_result_that_comes_late_still_belongs_to_its_call(alice_api):
    session = opened(alice_api)
    say(alice_api, session, called("a"), "meanwhile")
    say(alice_api, session, result("A", "a"), "thanks")
    assert contents(window(alice_api, session, max_messages=3)) == ["thanks"]
    assert len(window(alice_api, session, max_messages=4)["messages"]) == 4


@pytest.mark.parametrize("limits", [{"max_messages": 0}, {"max_tokens": "many"}])
def test_a_limit_that_is_none_is_refused(alice_api, limits):
    session = opened(alice_api)
    assert alice_api.get(f"{session}/window", **limits).status_code == 400
