"""What people said becomes records, once, where it belongs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import llm
from memory.models import Job, JobKind, JobState, Memory, Session
from memory.schedules import start
from tests.lifecycle.hearing import ALARM, NOTHING, closed, facts, learned
from tests.sessions.talking import acting_for, gateway, opened, said, say

pytestmark = pytest.mark.django_db

SHORT = "I always want short answers."


@pytest.fixture(autouse=True)
def _own_place(settings, tmp_path):
    settings.GOCLAW_STATE_DIR = tmp_path


# --- where it goes -------------------------------------------------------------------
def test_an_administrators_words_become_agent_notes(
    admin_api, admin, run_jobs, scripted
):
    scripted(facts((ALARM, "fact", 1), ("Short answers are wanted.", "preference", 2)))
    session = closed(admin_api, run_jobs, ALARM, SHORT)
    assert learned(scope="agent_notes") == [
        "Short answers are wanted.",
        ALARM,
    ]
    fact = Memory.objects.get(content=ALARM)
    assert (fact.kind, fact.domain, fact.created_by) == ("fact", "gauges", admin)
    assert (fact.session, fact.message) == (session[10:], "1")
    assert fact.run == str(Job.objects.get(kind=JobKind.EXTRACT).uid)


def test_anybody_elses_become_their_own_records(
    alice_api, alice, admin_api, run_jobs, scripted
):
    scripted(facts((ALARM, "fact", 1)))
    closed(alice_api, run_jobs, ALARM)
    assert learned(scope="personal", owner=alice) == [ALARM]
    assert learned(scope="agent_notes") == []
    assert admin_api.search("Steg gauge") == []


def test_a_shared_conversation_fills_nobodys_personal_space(
    admin, alice, bob, run_jobs, scripted
):
    door = gateway(admin)
    model = scripted(facts((ALARM, "fact", 1), ("The pump is red.", "fact", 2)))
    session = opened(acting_for(door, alice, "shared"), participants=["admin", "bob"])
    say(
        acting_for(door, alice, "shared"),
        session,
        said("My salary is 9000 EUR.", speaker="alice"),
        said("The pump is red.", speaker="bob"),
        said(ALARM, speaker="admin"),
        said("Somebody unknown says 5 m.", name="Guest"),
    )
    acting_for(door, alice, "shared").post(f"{session}/close")
    run_jobs()
    assert learned(scope="agent_notes") == [ALARM]
    assert learned(scope="personal") == []
    assert len(model.asked) == 1
    for foreign in ("9000", "pump", "5 m."):
        assert foreign not in model.asked[0][1]


def test_without_anybody_to_learn_from_no_model_is_asked(
    admin, alice, run_jobs, scripted
):
    door = acting_for(gateway(admin), alice, "shared")
    model = scripted()
    session = closed(door, run_jobs, ALARM)
    assert model.asked == []
    row = Session.objects.get(uid=session[10:])
    assert row.extracted_to == row.last_position


def test_an_unconfirmed_session_is_unverified_until_it_is_confirmed(
    admin_api, run_jobs, scripted, note
):
    older = note("The staging DB is 10.0.4.12.")
    newer = "The staging DB is 10.0.4.13."
    scripted(facts((newer, "fact", 1)), always={"JudgeReply": {"verdicts": []}})
    session = closed(admin_api, run_jobs, newer, confirmed=False)
    assert Memory.objects.get(content=newer).tag_names() == ["unverified"]
    older.refresh_from_db()
    assert not older.is_superseded
    admin_api.post(f"{session}/confirm")
    assert Memory.objects.get(content=newer).tag_names() == []
    run_jobs()
    older.refresh_from_db()
    assert older.superseded_by == Memory.objects.get(content=newer)


# --- how far -------------------------------------------------------------------------
def test_running_twice_learns_nothing_twice(admin_api, run_jobs, scripted):
    model = scripted(facts((ALARM, "fact", 1)), facts((SHORT[2:], "preference", 1)))
    session = closed(admin_api, run_jobs, ALARM)
    for _ in range(2):
        assert admin_api.post(f"{session}/close").status_code == 200
        assert admin_api.post(f"{session}/extract").status_code == 200
        run_jobs()
    assert len(model.asked) == 1
    say(admin_api, session, SHORT)
    answer = admin_api.post(f"{session}/extract")
    assert answer.status_code == 202
    run_jobs()
    assert len(model.asked) == 2
    assert ALARM not in model.asked[1][1]
    assert len(learned()) == 2


def test_an_idle_session_is_learned_from(admin_api, run_jobs, scripted):
    scripted(facts((ALARM, "fact", 1)))
    session = opened(admin_api)
    say(admin_api, session, ALARM)
    hour_ago = timezone.now() - timedelta(hours=1)
    Session.objects.update(last_active_at=hour_ago)
    start("close")
    run_jobs()
    assert learned() == [ALARM]


def test_a_trim_learns_first(admin_api, run_jobs, scripted):
    scripted(facts((ALARM, "fact", 1)), llm.ModelFailed("gone", permanent=True))
    session = opened(admin_api)
    say(admin_api, session, ALARM, "Well.")
    admin_api.post(f"{session}/trim", {"force": True})
    run_jobs()
    row = Session.objects.get()
    assert (row.trimmed_to, row.extracted_to) == (1, 1)
    assert learned() == [ALARM]


def test_without_a_model_nothing_is_lost_and_it_is_done_later(
    admin_api, run_jobs, scripted
):
    session = opened(admin_api)
    say(admin_api, session, ALARM, SHORT, "Bye.")
    for _ in range(2):
        admin_api.post(f"{session}/trim", {"force": True})
        run_jobs()
    refused = admin_api.post(f"{session}/extract")
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "model_not_configured"
    admin_api.post(f"{session}/close")
    start("extract")
    run_jobs()
    row = Session.objects.get()
    assert (row.trimmed_to, row.extracted_to) == (2, 0)
    states = set(Job.objects.filter(kind="extract").values_list("state", flat=True))
    assert states <= {JobState.DONE}
    scripted(
        facts((ALARM, "fact", 1), ("Short answers are wanted.", "preference", 2)),
        NOTHING,  # of what is not in the archive
    )
    start("extract")
    run_jobs()
    assert len(learned()) == 2
    row.refresh_from_db()
    assert row.extracted_to == 3


def test_a_model_that_fails_leaves_the_position(admin_api, run_jobs, scripted):
    model = scripted(
        llm.ModelFailed("gone", permanent=False), facts((ALARM, "fact", 1))
    )
    closed(admin_api, run_jobs, ALARM)
    job = Job.objects.get(kind=JobKind.EXTRACT)
    assert job.state == JobState.QUEUED
    assert Session.objects.get().extracted_to == 0
    Job.objects.update(run_at=timezone.now())
    run_jobs()
    assert learned() == [ALARM]
    assert len(model.asked) == 2


def test_a_refused_prompt_is_a_failed_job_and_tried_a_day_later(
    admin_api, run_jobs, scripted
):
    model = scripted(llm.ModelFailed("400", permanent=True), facts((ALARM, "fact", 1)))
    closed(admin_api, run_jobs, ALARM)
    job = Job.objects.get(kind=JobKind.EXTRACT)
    assert job.state == JobState.FAILED
    start("extract")
    run_jobs()
    assert len(model.asked) == 1
    yesterday = timezone.now() - timedelta(days=1, minutes=1)
    Job.objects.filter(pk=job.pk).update(finished_at=yesterday)
    start("extract")
    run_jobs()
    assert learned() == [ALARM]


def test_an_answer_without_the_schema_is_dropped(admin_api, run_jobs, scripted):
    scripted(llm.AnswerNotValid("nonsense", permanent=True))
    closed(admin_api, run_jobs, ALARM)
    job = Job.objects.get(kind=JobKind.EXTRACT)
    assert (job.state, job.result["dropped"]) == (JobState.DONE, 1)
    assert Session.objects.get().extracted_to == 1


def test_a_long_conversation_is_heard_in_parts(admin_api, run_jobs, scripted, settings):
    settings.GOCLAW_MODEL = settings.GOCLAW_MODEL | {"max_input_chars": 1000}
    long = "The pump is red. " * 100
    model = scripted(*[NOTHING] * 9, always=None)
    closed(admin_api, run_jobs, "Hello there.", long, ALARM)
    prompts = "".join(prompt for _, prompt in model.asked)
    assert len(model.asked) == 3
    assert all(len(prompt) < 1400 for _, prompt in model.asked)
    assert prompts.count("The pump is red.") >= 99
    assert "4.2 m" in prompts
    assert Session.objects.get().extracted_to == 3


def test_two_thousand_messages_take_few_questions(
    admin_api, run_jobs, scripted, settings
):
    settings.GOCLAW_SESSIONS = settings.GOCLAW_SESSIONS | {
        "max_messages": 10_000,
        "max_tokens": 10**9,
    }
    session = opened(admin_api)
    for _ in range(4):
        say(admin_api, session, *(said(f"The pump {n} is red.") for n in range(500)))
    model = scripted(*[NOTHING] * 50)
    admin_api.post(f"{session}/close")
    run_jobs()
    assert Session.objects.get().extracted_to == 2000
    assert len(model.asked) <= 40


# --- handed over with the request ----------------------------------------------------
def test_messages_without_a_session_are_learned_from(alice_api, alice, scripted):
    scripted(facts((ALARM, "fact", 1), ("The mast is 9 m.", "fact", 1)))
    body = {"messages": [said("Hello", "assistant"), said(ALARM)]}
    answer = alice_api.post("/memory/extract", body)
    assert answer.status_code == 200, answer.json()
    (one,) = answer.json()["learned"]
    assert (one["content"], one["scope"]) == (ALARM, "personal")
    assert one["outcome"] == "stored"
    assert answer.json()["dropped"] == {"invented": 1}
    scripted(facts((ALARM, "fact", 1)))
    again = alice_api.post("/memory/extract", body).json()
    assert again["learned"][0]["outcome"] != "stored"
    assert learned() == [ALARM]


def test_who_is_not_heard_over_the_api(
    alice, admin, alice_api, cron_api, scripted, run_jobs
):
    body = {"messages": [said(ALARM)]}
    assert alice_api.post("/memory/extract", body).status_code == 503
    model = scripted()
    assert cron_api.post("/memory/extract", body).status_code == 403
    shared = acting_for(gateway(admin), alice, "shared")
    assert shared.post("/memory/extract", body).json()["learned"] == []
    named = {"messages": [said(ALARM, name="Bob"), said(ALARM, speaker="bob")]}
    assert alice_api.post("/memory/extract", named).json()["learned"] == []
    assert model.asked == []
    long = {"messages": [said("The pump is red. " * 900) for _ in range(8)]}
    refused = alice_api.post("/memory/extract", long)
    assert (refused.status_code, refused.json()["error"]["code"]) == (
        413,
        "messages_too_long",
    )


def test_an_idempotency_key_keeps_the_answer(alice_api, scripted):
    scripted(facts((ALARM, "fact", 1)), facts())
    body = {"messages": [said(ALARM)]}
    first, second = (
        alice_api.post("/memory/extract", body, Idempotency_Key="a") for _ in range(2)
    )
    assert first.json() == second.json()
    assert len(first.json()["learned"]) == 1
