"""Many at once: every message there, in order of acceptance, none twice."""

import pytest

from memory.models import Session
from tests.memory.test_concurrency import at_once
from tests.sessions.talking import heard, opened, said

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 20


def test_parallel_appends_are_all_there_in_the_order_of_acceptance(alice_api):
    session = opened(alice_api)

    def append(n):
        message = said(f"message {n}", client_id=f"m{n}")
        return lambda: alice_api.post(f"{session}/messages", {"messages": [message]})

    answers = at_once([append(n) for n in range(WRITERS)])
    assert [a.status_code for a in answers] == [201] * WRITERS
    places = [answer.json()["results"][0]["position"] for answer in answers]
    assert sorted(places) == list(range(1, WRITERS + 1))
    by_place = sorted(range(WRITERS), key=lambda n: places[n])
    assert heard(alice_api, session) == [f"message {n}" for n in by_place]


def test_the_same_message_sent_by_many_is_stored_once(alice_api):
    session = opened(alice_api)
    body = {"messages": [said("only once", client_id="1")]}
    answers = at_once([lambda: alice_api.post(f"{session}/messages", body)] * WRITERS)
    assert sorted(a.status_code for a in answers) == [200] * (WRITERS - 1) + [201]
    assert heard(alice_api, session) == ["only once"]


def test_a_conversation_opened_by_many_is_one(alice_api):
    answers = at_once(
        [lambda: alice_api.post("/sessions", {"conversation": "c"})] * WRITERS
    )
    assert sorted(a.status_code for a in answers) == [200] * (WRITERS - 1) + [201]
    assert Session.objects.count() == 1


def test_variables_set_by_many_are_all_kept(alice_api):
    session = opened(alice_api)
    at_once(
        [
            lambda n=n: alice_api("patch", session, {"variables": {f"v{n}": n}})
            for n in range(WRITERS)
        ]
    )
    variables = alice_api.get(session).json()["variables"]
    assert variables == {f"v{n}": n for n in range(WRITERS)}
