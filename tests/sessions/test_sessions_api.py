"""Sessions through the API: opened once, appended to once, read, changed, closed."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memory.models import Job, JobKind, Session
from memory.queue import enqueue
from tests.sessions.talking import acting_for, gateway, heard, opened, said, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice_here(admin, alice):
    """A gateway that acts for Alice, alone with the agent."""
    return acting_for(gateway(admin), alice)


def test_a_conversation_of_a_name_is_opened_once(alice_here):
    first = alice_here.post("/sessions", {"conversation": "telegram:7"})
    again = alice_here.post("/sessions", {"conversation": "telegram:7"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    body = first.json()
    assert body["kind"] == "direct"
    assert body["participants"] == ["alice"]
    assert body["agent"] == "default"
    assert body["messages"] == 0
    other = alice_here.post("/sessions", {"conversation": "telegram:8"}).json()
    unnamed = [alice_here.post("/sessions", {}).json()["id"] for _ in range(2)]
    assert len({body["id"], other["id"], *unnamed}) == 4


def test_two_people_of_one_gateway_have_each_their_own(admin, alice, bob):
    bot = gateway(admin)
    assert opened(acting_for(bot, alice), conversation="main") != opened(
        acting_for(bot, bob), conversation="main"
    )


def test_a_shared_conversation_is_one_for_all_who_take_part(admin, alice, bob):
    bot = gateway(admin)
    mine = acting_for(bot, alice, "shared")
    session = opened(mine, conversation="group", participants=["bob"])
    assert opened(acting_for(bot, bob, "shared"), conversation="group") == session
    say(mine, session, "hello all")
    say(acting_for(bot, bob, "shared"), session, "hello Alice")
    messages = mine.get(f"{session}/messages").json()["results"]
    assert [m["speaker"] for m in messages] == ["alice", "bob"]


def test_whoever_opens_a_shared_conversation_later_takes_part(admin, alice, bob):
    bot = gateway(admin)
    session = opened(acting_for(bot, alice, "shared"), conversation="group")
    late = acting_for(bot, bob, "shared")
    assert late.get(session).status_code == 404
    assert opened(late, conversation="group") == session
    assert late.get(session).json()["participants"] == ["alice", "bob"]


def test_a_name_belongs_to_its_gateway(admin, alice):
    one, two = (acting_for(gateway(admin), alice) for _ in range(2))
    assert opened(one, conversation="main") != opened(two, conversation="main")


def test_messages_come_back_as_they_were_sent(alice_here):
    session = opened(alice_here)
    sent = [
        said("  What is\r\nthe level?\n", client_id="a-1", name="Alice"),
        said(
            "",
            "assistant",
            tool_calls=[{"id": "c1", "name": "gauge", "arguments": {"at": "Steg"}}],
        ),
        said("4.21 m", "tool", tool_name="gauge", tool_call_id="c1"),
        said("It stands at 4.21 m. 🌊", "assistant"),
    ]
    say(alice_here, session, *sent)
    got = alice_here.get(f"{session}/messages").json()["results"]
    assert [m["position"] for m in got] == [1, 2, 3, 4]
    for stored, message in zip(got, sent, strict=True):
        assert message.items() <= stored.items()
    assert [m["speaker"] for m in got] == ["alice", None, None, None]


def test_a_message_is_stored_once_whatever_is_sent_again(alice_here):
    session = opened(alice_here)
    first = say(alice_here, session, said("one", client_id="1"))
    again = say(
        alice_here, session, said("one", client_id="1"), said("two", client_id="2")
    )
    assert first == [{"position": 1, "client_id": "1", "deduplicated": False}]
    assert [(m["position"], m["deduplicated"]) for m in again] == [
        (1, True),
        (2, False),
    ]
    same = alice_here.post(
        f"{session}/messages", {"messages": [said("two", client_id="2")]}
    )
    assert same.status_code == 200
    twice = say(alice_here, session, *[said("three", client_id="3")] * 2)
    assert [m["deduplicated"] for m in twice] == [False, True]
    assert heard(alice_here, session) == ["one", "two", "three"]


def test_idempotency_keys_hold_for_messages_without_ids(alice_here):
    session = opened(alice_here)
    for _ in range(2):
        alice_here.post(
            f"{session}/messages", {"messages": [said("once")]}, Idempotency_Key="k"
        )
    assert heard(alice_here, session) == ["once"]


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (said("x", "robot"), "role"),
        (said("  "), "content"),
        (said("a\0b"), "content"),
        (said("x" * 300_000), "content"),
        (said("x", name="n" * 101), "name"),
        (said("x", speaker="bob"), "speaker"),
        (said("x", created_at="2100-01-01T00:00:00Z"), "created_at"),
        (said("x", created_at="soon"), "created_at"),
        (said("x", tool_calls=["c1"]), "tool_calls"),
        (said("x", surprise=1), "surprise"),
    ],
)
def test_one_bad_message_and_none_is_stored(alice_here, bob, message, field):
    session = opened(alice_here)
    answer = alice_here.post(
        f"{session}/messages", {"messages": [said("good"), message]}
    )
    assert answer.status_code in {400, 413}
    assert field in answer.json()["error"]["field"]
    assert heard(alice_here, session) == []


def test_a_key_of_ones_own_speaks_for_nobody_else(alice, bob, alice_api):
    refused = alice_api.post("/sessions", {"kind": "shared", "participants": ["bob"]})
    assert refused.status_code == 403
    session = opened(alice_api, kind="shared")
    answer = alice_api.post(
        f"{session}/messages", {"messages": [said("hi", speaker="bob")]}
    )
    assert answer.status_code == 400
    assert heard(alice_api, session) == []


def test_who_said_it_is_nobody_where_it_is_not_certain(admin, alice, bob):
    here = acting_for(gateway(admin), alice, "shared")
    session = opened(here, participants=["bob"])
    say(
        here,
        session,
        said("mine"),
        said("his", speaker="bob"),
        said("a guest's", name="Eve"),
    )
    got = here.get(f"{session}/messages").json()["results"]
    assert [m["speaker"] for m in got] == ["alice", "bob", None]


def test_a_shared_request_opens_nothing_private(admin, alice):
    here = acting_for(gateway(admin), alice, "shared")
    answer = here.post("/sessions", {"kind": "direct"})
    assert answer.status_code == 400
    assert not Session.objects.exists()


def test_a_direct_conversation_has_no_second_person(alice_here, bob):
    assert alice_here.post("/sessions", {"participants": ["bob"]}).status_code == 400
    session = opened(alice_here)
    answer = alice_here("patch", session, {"participants": ["bob"]})
    assert answer.status_code == 400
    assert alice_here.get(session).json()["participants"] == ["alice"]


def test_variables_are_merged_by_name(alice_here):
    session = opened(alice_here, variables={"a": 1, "b": [2]})
    body = alice_here("patch", session, {"variables": {"a": None, "c": {"d": 3}}})
    assert body.json()["variables"] == {"b": [2], "c": {"d": 3}}
    assert alice_here("patch", session, {"title": "Levels"}).json()["title"] == "Levels"
    assert alice_here.get(session).json()["variables"] == {"b": [2], "c": {"d": 3}}


def test_closed_until_somebody_speaks_again(alice_here):
    session = opened(alice_here)
    closed = alice_here.post(f"{session}/close").json()["closed_at"]
    assert closed
    assert alice_here.post(f"{session}/close").json()["closed_at"] == closed
    say(alice_here, session, "one more thing")
    assert alice_here.get(session).json()["closed_at"] is None


def test_an_unconfirmed_session_is_confirmed_later(alice_here):
    session = opened(alice_here, confirmed=False)
    assert alice_here.get(session).json()["confirmed"] is False
    assert alice_here.post(f"{session}/confirm").json()["confirmed"] is True


def test_the_schedule_closes_what_was_idle_for_the_setting(alice_here, run_jobs):
    idle, busy = opened(alice_here), opened(alice_here)
    say(alice_here, idle, "hello")
    with time_machine.travel(timezone.now() + timedelta(minutes=29), tick=False):
        say(alice_here, busy, "still here")
        enqueue(JobKind.CLOSE, key="scheduled")
        run_jobs()
        assert alice_here.get(idle).json()["closed_at"] is None
    with time_machine.travel(timezone.now() + timedelta(minutes=31), tick=False):
        enqueue(JobKind.CLOSE, key="scheduled")
        run_jobs()
        assert alice_here.get(idle).json()["closed_at"]
        assert alice_here.get(busy).json()["closed_at"] is None
    assert Job.objects.filter(kind=JobKind.CLOSE).latest("id").result == {"closed": 1}


def test_the_list_has_the_last_active_first(alice_here):
    first, second = opened(alice_here, title="one"), opened(alice_here, title="two")
    say(alice_here, first, "again")
    ids = [s["id"] for s in alice_here.get("/sessions").json()["results"]]
    assert [f"/sessions/{uid}" for uid in ids] == [first, second]
    page = alice_here.get("/sessions", page_size=1).json()
    assert len(page["results"]) == 1
    assert page["next"]


def test_ten_thousand_messages_are_no_problem(alice_here, settings):
    settings.GOCLAW_SESSIONS = settings.GOCLAW_SESSIONS | {
        "max_messages": 20_000,
        "max_tokens": 10**9,
    }
    session = opened(alice_here)
    for start in range(0, 10_000, 500):
        say(alice_here, session, *(f"message {n}" for n in range(start, start + 500)))
    assert alice_here.get(session).json()["messages"] == 10_000
    started = timezone.now()
    newest = alice_here.get(f"{session}/window", max_messages=3).json()
    say(alice_here, session, "the last one")
    assert timezone.now() - started < timedelta(seconds=0.5)
    assert [m["content"] for m in newest["messages"]] == [
        f"message {n}" for n in (9997, 9998, 9999)
    ]
    assert newest["skipped"] == 9997


def test_another_agents_sessions_are_its_own(alice_here):
    missing = alice_here.post("/sessions", {"agent": "nobody-here"})
    assert missing.status_code == 404
    assert alice_here.post("/sessions", {"agent": "../x"}).status_code == 400
