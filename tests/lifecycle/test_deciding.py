"""Records are retired and merged in one place, and it can all be taken back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actors import Actor, actor_for_turn, actor_for_user, system_actor
from accounts.kinds import RunKind
from accounts.models import User
from goclaw.lib.errors import Conflict, Forbidden, NotFound
from memory import changes, records
from memory.drafts import Draft
from memory.lifecycle import undoing
from memory.lifecycle.deciding import Refused, merge, retire
from memory.models import Memory, ReviewItem, ReviewKind, ReviewState, Revision, Veto
from tests.lifecycle.conftest import WriteNote
from tests.people import Api

OLD, NEW = "The staging DB is 10.0.4.12", "The staging DB is 10.0.4.13"


def _retire(old: Memory, new: Memory, via: str = "judge", run: str = "") -> Revision:
    return retire(
        old=old,
        new=new,
        via=via,
        actor=system_actor(),
        reason="It moved.",
        run=run,
        model="small",
        words="It says another address.",
    )


def _merge(*sources: Memory, content: str, run: str = "") -> Memory:
    draft = Draft(scope="agent_notes", kind="fact", content=content)
    return merge(sources=sources, draft=draft, actor=system_actor(), run=run)


def _refused(code: str, old: Memory, new: Memory, via: str = "judge") -> None:
    before = Revision.objects.count()
    with pytest.raises(Refused) as refused:
        _retire(old, new, via)
    assert refused.value.code == code
    assert Revision.objects.count() == before
    assert not ReviewItem.objects.exists()


def test_a_retired_record_leaves_plain_searches_at_once(
    note: WriteNote, admin_api: Api
) -> None:
    old, new = note(OLD), note(NEW)
    _retire(old, new)
    hits = {hit["id"] for hit in admin_api.search("staging DB")}
    assert hits == {str(new.uid)}
    found = {h["id"]: h for h in admin_api.search("staging DB", include_history=True)}
    assert found.keys() == {str(old.uid), str(new.uid)}
    gone = found[str(old.uid)]
    assert gone["superseded"]
    assert gone["superseded_by"] == str(new.uid)
    assert "superseded" in gone["tags"]


def test_a_decision_says_who_what_and_why(note: WriteNote) -> None:
    old, new = note(OLD), note(NEW)
    revision = _retire(old, new, run="r1")
    assert (revision.memory, revision.replacement) == (old, new)
    assert (revision.via, revision.run, revision.model) == ("judge", "r1", "small")
    assert revision.words == "It says another address."
    item = ReviewItem.objects.get()
    assert item.kind == ReviewKind.SUPERSEDE
    assert (item.via, item.run, item.title, item.facts) == ("judge", "r1", NEW, 1)
    assert revision.item == item


def test_people_need_no_item(note: WriteNote) -> None:
    assert _retire(note(OLD), note(NEW), via="person").item is None


def test_what_a_machine_may_not_retire(note: WriteNote) -> None:
    new = note(NEW)
    early = {"observed_at": timezone.now() - timedelta(days=1)}
    _refused("record_critical", note("a", tags=["critical"], **early), new)
    _refused("record_unverified", note("b", tags=["unverified"], **early), new)
    _refused("record_keyed", note("c", key="host", **early), new)
    _refused("record_older", note("d"), new)
    unsure = note("e", tags=["unverified"])
    _refused("record_unverified", note("f", **early), unsure)
    _refused("record_gone", new, new)


def test_a_person_may(note: WriteNote) -> None:
    early = {"observed_at": timezone.now() - timedelta(days=1)}
    _retire(note("a", tags=["critical"], **early), note(NEW), via="person")


def test_outside_input_does_not_replace_what_people_wrote(
    note: WriteNote, admin: User
) -> None:
    old = note(OLD)
    cron = actor_for_turn(admin, run=RunKind.CRON)
    draft = Draft(scope="agent_notes", kind="fact", content=NEW)
    ran = records.write(actor=cron, draft=draft).memory
    _refused("run_autonomous", old, ran)
    again = Draft(scope="agent_notes", kind="fact", content=f"{NEW}4")
    _retire(ran, records.write(actor=cron, draft=again).memory)


def test_nothing_happens_to_what_has_changed_since(
    note: WriteNote, boss: Actor
) -> None:
    old, new = note(OLD), note(NEW)
    changes.edit(actor=boss, uid=old.uid, changes={"content": "Another thing"})
    _refused("record_changed", old, new)
    old.refresh_from_db()
    changes.forget(actor=boss, uid=new.uid)
    _refused("record_not_live", old, new)
    changes.restore(actor=boss, uid=new.uid)
    changes.purge(actor=boss, uid=old.uid)
    _refused("record_gone", old, new)


def test_only_live_records_are_retired_so_there_is_no_circle(note: WriteNote) -> None:
    one, two, three = note("one"), note("two"), note("three")
    _retire(one, two)
    _retire(two, three)
    for old, new in ((one, three), (three, one), (two, three)):
        with pytest.raises(Refused):
            _retire(old, new, via="person")


def test_undone_for_good(note: WriteNote, boss: Actor, admin_api: Api) -> None:
    old, new = note(OLD), note(NEW)
    revision = _retire(old, new)
    undone = undoing.undo(actor=boss, uid=old.uid)
    assert undone.restored == [old]
    assert not undone.retired
    hits = {hit["id"] for hit in admin_api.search("staging DB")}
    assert hits == {str(old.uid), str(new.uid)}
    revision.refresh_from_db()
    assert revision.undone_by_id == boss.user_id
    assert Revision.objects.get(via="undo").undoes == revision
    assert ReviewItem.objects.get().state == ReviewState.UNDONE
    with pytest.raises(Refused, match="undid"):
        _retire(old, new, via="rule:host")
    with pytest.raises(Conflict) as twice:
        undoing.undo(actor=boss, uid=old.uid)
    assert twice.value.code == "already_undone"
    assert "admin" in twice.value.message


def test_a_veto_holds_for_the_same_texts_written_anew(
    note: WriteNote, boss: Actor
) -> None:
    old, new = note(OLD), note(NEW)
    _retire(old, new)
    undoing.undo(actor=boss, uid=old.uid)
    changes.forget(actor=boss, uid=new.uid)
    again = note(NEW.upper() + ".", force=True)
    with pytest.raises(Refused) as refused:
        _retire(old, again)
    assert refused.value.code == "vetoed"
    _retire(old, note("The staging DB is 10.0.4.14"))


def test_the_tag_removed_by_hand_restores_without_a_veto(
    note: WriteNote, boss: Actor
) -> None:
    old, new = note(OLD), note(NEW)
    _retire(old, new)
    changes.edit(actor=boss, uid=old.uid, changes={"tags": []})
    old.refresh_from_db()
    assert not old.is_superseded
    assert old.superseded_by is None
    assert ReviewItem.objects.get().state == ReviewState.UNDONE
    with pytest.raises(Conflict):
        undoing.undo(actor=boss, uid=old.uid)
    assert not Veto.objects.exists()
    _retire(old, new)
    undoing.undo(actor=boss, uid=old.uid)


def test_a_merge_and_its_undoing(note: WriteNote, boss: Actor) -> None:
    one = note("Backups run at 02:00")
    two = note("Backups are kept 30 days", observed_at=timezone.now())
    merged = _merge(one, two, content="Backups run at 2 am and are kept 30 days")
    assert merged.origin == "consolidation"
    assert merged.observed_at == two.observed_at
    for old in (one, two):
        old.refresh_from_db()
        assert old.superseded_by == merged
    item = ReviewItem.objects.get()
    assert (item.kind, item.facts) == (ReviewKind.MERGE, 2)
    assert item.decisions.count() == 2
    undone = undoing.undo(actor=boss, uid=two.uid)
    assert set(undone.restored) == {one, two}
    assert undone.retired == [merged]
    assert set(Memory.objects.current()) == {one, two}
    with pytest.raises(Conflict):
        undoing.undo(actor=boss, uid=merged.uid)
    one.refresh_from_db()
    two.refresh_from_db()
    with pytest.raises(Refused, match="undid"):
        _merge(one, two, content="Backups run at 2 am, kept 30 days")


def test_a_merge_that_loses_something_is_refused(note: WriteNote) -> None:
    one, two = note("Backups run at 02:00"), note("Backups are kept 30 days")
    with pytest.raises(Refused) as refused:
        _merge(one, two, content="Backups run at night and are kept 30 days")
    assert refused.value.extra["lost"] == ["02:00"]
    assert Memory.objects.current().count() == 2


def test_a_run_is_undone_at_once(note: WriteNote, boss: Actor) -> None:
    one, two, three = note("a 1"), note("a 2"), note("a 3")
    _retire(one, two, run="r")
    _retire(two, three, run="r")
    four, five = note("b 4 c"), note("b 4")
    merged = _merge(four, five, content="B is c 4", run="r")
    undone = undoing.undo_run(actor=boss, run="r")
    assert set(undone.restored) == {one, two, four, five}
    assert undone.retired == [merged]
    with pytest.raises(Conflict):
        undoing.undo_run(actor=boss, run="r")
    with pytest.raises(NotFound):
        undoing.undo_run(actor=boss, run="s")
    with pytest.raises(NotFound):
        undoing.undo_run(actor=boss, run="")


def test_a_keyed_fact_comes_back_only_where_its_key_is_free(
    note: WriteNote, boss: Actor
) -> None:
    first = note("", key="host", value="a")
    second = note("", key="host", value="b")
    with pytest.raises(Conflict) as taken:
        undoing.undo(actor=boss, uid=first.uid)
    assert taken.value.code == "key_taken"
    changes.forget(actor=boss, uid=second.uid)
    assert undoing.undo(actor=boss, uid=first.uid).restored == [first]


def test_who_may_take_back(
    note: WriteNote, boss: Actor, alice: User, admin: User
) -> None:
    old, new = note(OLD), note(NEW)
    _retire(old, new, run="r")
    for actor in (
        actor_for_user(alice),
        actor_for_turn(alice, run=RunKind.CRON),
        actor_for_turn(admin, run=RunKind.CRON),
    ):
        with pytest.raises(Forbidden):
            undoing.undo(actor=actor, uid=old.uid)
        with pytest.raises(Forbidden):
            undoing.undo_run(actor=actor, run="r")


def test_a_personal_decision_is_its_owners(alice: User, boss: Actor) -> None:
    me = actor_for_user(alice)
    one, two = (
        records.write(actor=me, draft=Draft(scope="personal", content=text)).memory
        for text in ("I like tea", "I like coffee")
    )
    revision = retire(old=one, new=two, via="dedupe", actor=me)
    assert revision.item is None
    with pytest.raises(NotFound):
        undoing.undo(actor=boss, uid=one.uid)
    with pytest.raises(NotFound):
        undoing.undo_revision(actor=boss, uid=revision.uid)
    assert undoing.undo_revision(actor=me, uid=revision.uid).restored == [one]
