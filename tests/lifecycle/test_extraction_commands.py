"""`@notes:` and `@config:`: an administrator's message is a write, nobody else's is."""

import pytest

from memory.models import Memory, Message
from tests.people import api_for, make_admin
from tests.sessions.talking import acting_for, gateway, heard, opened, said, say

pytestmark = pytest.mark.django_db

NOTE = "The alarm of the Steg gauge is at 4.2 m."


def stored():
    rows = Memory.objects.order_by("pk").values_list("scope", "kind", "content")
    return list(rows)


def test_an_administrators_note_is_written_at_once(admin_api, admin):
    session = opened(admin_api)
    say(admin_api, session, f"@notes: {NOTE}", "  @CONFIG:  Answer in German.\n")
    assert stored() == [
        ("agent_notes", "fact", NOTE),
        ("agent_config", "config", "Answer in German."),
    ]
    memory = Memory.objects.get(content=NOTE)
    assert (memory.origin, memory.created_by) == ("agent", admin)
    assert (memory.session, memory.message) == (session[10:], "1")
    assert heard(admin_api, session)[0] == f"@notes: {NOTE}"


def test_anybody_elses_is_refused_and_not_stored(alice, bob, admin_api, admin):
    for scope in ("agent_notes", "agent_config"):
        from memory.spaces import list_writer

        list_writer(f"{scope}:alice")
    api = api_for(alice)
    session = opened(api)
    for prefix in ("@notes:", "@config:", "@Notes:"):
        body = {"messages": [said("Hello."), said(f"{prefix} {NOTE}")]}
        answer = api.post(f"{session}/messages", body)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (403, "forbidden")
        assert error["field"] == "messages.1.content"
        assert error["remedy"]
    assert not Message.objects.exists()
    assert stored() == []


def test_only_at_the_start_and_only_a_persons(admin_api):
    session = opened(admin_api)
    say(
        admin_api,
        session,
        f"Write @notes: {NOTE}",
        said(f"@notes: {NOTE}", "assistant"),
        said(f"@notes: {NOTE}", "tool"),
    )
    assert stored() == []


def test_the_speaker_counts_not_who_hands_it_over(admin, alice):
    other = make_admin("other")
    door = acting_for(gateway(admin), alice, "shared")
    session = opened(door, participants=["other"])
    say(door, session, said(f"@notes: {NOTE}", speaker="other"))
    assert Memory.objects.get().created_by == other
    for unknown in (
        said("@notes: x", speaker="alice"),
        said("@notes: x", name="Guest"),
        said("@notes: x"),
    ):
        answer = door.post(f"{session}/messages", {"messages": [unknown]})
        assert answer.status_code in {400, 403}
    assert len(stored()) == 1


def test_an_unconfirmed_session_takes_none(admin_api):
    session = opened(admin_api, confirmed=False)
    body = {"messages": [said(f"@config: {NOTE}")]}
    answer = admin_api.post(f"{session}/messages", body)
    assert answer.status_code == 403
    assert "Confirm" in answer.json()["error"]["remedy"]
    admin_api.post(f"{session}/confirm")
    assert admin_api.post(f"{session}/messages", body).status_code == 201
    assert len(stored()) == 1


def test_sent_again_it_is_written_once(admin_api):
    session = opened(admin_api)
    for _ in range(2):
        say(admin_api, session, said(f"@notes: {NOTE}", client_id="a"))
    assert len(stored()) == 1


def test_an_empty_one_is_refused(admin_api):
    session = opened(admin_api)
    answer = admin_api.post(f"{session}/messages", {"messages": [said("@notes:  ")]})
    assert answer.json()["error"]["code"] == "empty_content"
    assert not Message.objects.exists()


def test_it_is_not_learned_once_more(admin_api, scripted, run_jobs):
    session = opened(admin_api)
    say(admin_api, session, f"@notes: {NOTE}")
    model = scripted()
    admin_api.post(f"{session}/close")
    run_jobs()
    assert model.asked == []
