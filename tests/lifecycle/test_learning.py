"""What is written to the agent notes is stored once, and retires what it replaces."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.actors import Actor, actor_for_user
from accounts.models import User
from memory.drafts import Draft
from memory.lifecycle.learning import Learned, Outcome, learn
from memory.lifecycle.sameness import same
from memory.lifecycle.undoing import undo
from memory.models import Job, JobKind, Memory, ReviewItem, Revision
from memory.scopes import Origin
from tests.people import Api

OLD, NEW = "The staging DB is 10.0.4.12", "The staging DB is 10.0.4.13"


def _note(api: Api, content: str, **fields: Any) -> Any:
    return api.write(content, "agent_notes", **{"kind": "fact"} | fields)


def _live(api: Api) -> list[str]:
    rows = api.get("/memory/records", scope="agent_notes").json()["results"]
    return sorted(row["content"] for row in rows)


def _said(actor: Actor, content: str, scope: str = "agent_notes") -> Learned:
    draft = Draft(scope=scope, kind="fact", content=content)
    return learn(actor=actor, draft=draft, origin=Origin.EXTRACTION, run="r")


def test_a_new_address_retires_the_old_one(admin_api: Api) -> None:
    old = _note(admin_api, OLD)
    new = _note(admin_api, NEW)
    assert _live(admin_api) == [NEW]
    read = admin_api.get(f"/memory/records/{old['id']}").json()
    assert read["superseded_by"] == new["id"]
    assert "superseded" in read["tags"]
    revision = Revision.objects.get()
    assert (revision.via, revision.reason[:9]) == ("rule:address", "The newer")
    assert revision.run
    assert ReviewItem.objects.get().via == "rule:address"


@pytest.mark.parametrize(
    "door", ["tools/memory_write", "memory/records/bulk", "memory/records"]
)
def test_every_door_leads_the_same_way(admin_api: Api, door: str) -> None:
    for content in (OLD, NEW):
        record = {"scope": "agent_notes", "kind": "fact", "content": content}
        body = {"records": [record]} if door.endswith("bulk") else record
        assert admin_api.post(f"/{door}", body).status_code < 300
    assert _live(admin_api) == [NEW]


def test_the_order_of_observing_decides_not_that_of_writing(admin_api: Api) -> None:
    _note(admin_api, NEW)
    earlier = (timezone.now() - timedelta(days=3)).isoformat()
    late = _note(admin_api, OLD, observed_at=earlier)
    assert _live(admin_api) == [NEW]
    assert admin_api.get(f"/memory/records/{late['id']}").json()["superseded"]


def test_another_kind_or_domain_is_another_thing(admin_api: Api) -> None:
    _note(admin_api, OLD, domain="shop")
    _note(admin_api, NEW, domain="billing")
    admin_api.write("The staging DB is 10.0.4.14", "agent_notes", kind="note")
    assert len(_live(admin_api)) == 3


def test_what_is_personal_stands_side_by_side(alice_api: Api) -> None:
    for content in (OLD, NEW):
        alice_api.write(content, kind="fact")
    assert not Revision.objects.exists()


def test_critical_unverified_and_keyed_ones_stay(admin_api: Api) -> None:
    _note(admin_api, OLD, tags=["critical"])
    _note(admin_api, "The staging DB is 10.0.4.11", tags=["unverified"])
    _note(admin_api, "The staging DB is 10.0.4.10", key="db")
    _note(admin_api, NEW)
    assert len(_live(admin_api)) == 4
    _note(admin_api, "The staging DB is 10.0.4.15", tags=["unverified"])
    assert NEW in _live(admin_api)


def test_an_undone_decision_is_not_made_again(admin_api: Api, boss: Actor) -> None:
    old = _note(admin_api, OLD)
    new = _note(admin_api, NEW)
    undo(actor=boss, uid=old["id"])
    assert _live(admin_api) == [OLD, NEW]
    admin_api("delete", f"/memory/records/{new['id']}")
    _note(admin_api, f"{NEW}.", force=True)
    assert _live(admin_api) == [OLD, f"{NEW}."]


def test_a_preference_in_another_language(admin_api: Api) -> None:
    _note(admin_api, "Antworte immer auf Deutsch", kind="preference")
    _note(admin_api, "Please answer in English", kind="preference")
    assert _live(admin_api) == ["Please answer in English"]


@pytest.mark.parametrize(
    ("first", "again", "outcome"),
    [
        ("Deploys go out on Tuesday.", "deploys  go out on TUESDAY", "duplicate"),
        (
            "The nightly deploy runs on Tuesday",
            "Nightly deploys run on Tuesday",
            "linked",
        ),
        ("The gate needs 5 GB of RAM", "The gate needs 5gb of RAM.", "linked"),
        ("Deploys go out on Tuesday", "Deploys go out on Monday", "beside"),
        ("The deployment is allowed", "The deployment is not allowed", "beside"),
        ("Backups run before the deploy", "Backups run after the deploy", "beside"),
        ("Anna reports to Bob", "Bob reports to Anna", "beside"),
        ("Anna likes green tea", "Anna likes black tea", "beside"),
        ("The gate needs 5 GB of RAM", "The gate needs 6 GB of RAM", "beside"),
        ("Anna was in Berlin", "Anna is in Berlin", "beside"),
        ("Deploys go out on Tuesday", "Cats are fed at noon", "stored"),
    ],
)
def test_what_becomes_of_a_statement(
    boss: Actor, first: str, again: str, outcome: str
) -> None:
    assert _said(boss, first).outcome == Outcome.STORED
    learned = _said(boss, again)
    assert learned.outcome == outcome
    assert Memory.objects.count() == (1 if outcome in {"duplicate", "linked"} else 2)


def test_a_statement_is_known_for_longer_than_a_day(boss: Actor) -> None:
    first = _said(boss, "Deploys go out on Tuesday").memory
    long_ago = timezone.now() - timedelta(days=90)
    Memory.objects.update(created_at=long_ago, observed_at=long_ago)
    assert _said(boss, "Deploys go out on Tuesday.").memory == first


def test_what_was_forgotten_or_replaced_is_not_known(boss: Actor) -> None:
    old = _said(boss, OLD).memory
    assert [m.pk for m in _said(boss, NEW).retired] == [old.pk]
    again = _said(boss, OLD)
    assert again.outcome == Outcome.STORED
    assert [m.content for m in again.retired] == [NEW]


def test_said_for_sure_what_nobody_had_confirmed(boss: Actor) -> None:
    draft = Draft(scope="agent_notes", kind="fact", content=OLD, tags=["unverified"])
    assert learn(actor=boss, draft=draft).outcome == Outcome.STORED
    assert learn(actor=boss, draft=draft).outcome == Outcome.DUPLICATE
    assert _said(boss, f"{OLD}.").outcome == Outcome.BESIDE


def test_the_same_said_of_two_times_is_written_twice(admin_api: Api) -> None:
    for day in ("2024-01-05T10:00:00Z", "2025-01-05T10:00:00Z"):
        _note(admin_api, "The team met in Rome", observed_at=day)
    assert len(_live(admin_api)) == 2


def test_other_peoples_personal_records_are_not_known(alice: User, bob: User) -> None:
    for person in (alice, bob):
        learned = _said(actor_for_user(person), "I live in Rome", "personal")
        assert learned.outcome == Outcome.STORED


def test_what_the_rules_leave_open_waits_for_the_judge(
    admin_api: Api, run_jobs: Callable[[], int]
) -> None:
    _note(admin_api, "The shop deploys every Tuesday at noon")
    new = _note(admin_api, "The shop now deploys every Thursday at noon")
    _note(admin_api, "Cats are fed in the evening")
    assert [str(m.uid) for m in Memory.objects.filter(to_judge=True)] == [new["id"]]
    run_jobs()
    job = Job.objects.get(kind=JobKind.JUDGE)
    assert (job.state, job.result) == ("done", {"waiting": 1})


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("The host is up", "The host is up?", False),
        ("The host is up", "Is the host up?", False),
        ("It isn't red", "It is not red", True),
        ("It is red", "It isn't red", False),
        ("Deployed on Friday", "Deploys on Friday", False),
        ("Making tea at noon", "Makes tea at noon", True),
        ("", "", True),
        ("!", "?", False),
        ("The", "A", False),
        ("東京に住む", "大阪に住む", False),
    ],
)
def test_same(one: str, other: str, equal: bool) -> None:
    assert same(one, other) is equal
