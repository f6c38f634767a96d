"""Decisions at the same moment: one happens, the other is refused, nothing is torn."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts.actors import actor_for_user, system_actor
from goclaw.lib.errors import GoClawError
from memory import changes, records
from memory.drafts import Draft
from memory.lifecycle.deciding import Refused, retire
from memory.lifecycle.learning import learn
from memory.lifecycle.undoing import undo
from memory.models import Memory, ReviewItem, Revision
from memory.spaces import ensure_shared_spaces
from tests.people import make_admin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _spaces() -> None:
    ensure_shared_spaces([])


def _at_once(*tasks: Callable[[], Any]) -> list[Any]:
    """Do all tasks in threads that start together; return results and refusals."""
    gate = threading.Barrier(len(tasks))

    def run(task: Callable[[], Any]) -> Any:
        gate.wait()
        try:
            return task()
        except GoClawError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result() for future in [pool.submit(run, t) for t in tasks]]


def _retire(old: Memory, new: Memory) -> Revision:
    return retire(old=old, new=new, via="person", actor=system_actor())


def test_two_that_would_retire_each_other() -> None:
    boss = actor_for_user(make_admin())
    for number in range(5):
        one, two = (
            records.write(
                actor=boss,
                draft=Draft(scope="agent_notes", content=f"{side} {number}"),
            ).memory
            for side in "ab"
        )
        found = _at_once(lambda: _retire(one, two), lambda: _retire(two, one))  # noqa: B023
        assert sorted(isinstance(result, Refused) for result in found) == [False, True]
    assert Memory.objects.current().count() == 5
    assert Revision.objects.count() == 5


def test_the_same_fact_from_many_at_once_is_one_record() -> None:
    boss = actor_for_user(make_admin())
    texts = [f"The gate opens at noon{'.' * number}" for number in range(8)]
    found = _at_once(
        *(
            lambda text=text: learn(
                actor=boss,
                draft=Draft(scope="agent_notes", kind="fact", content=text),
            )
            for text in texts
        )
    )
    assert len({learned.memory.pk for learned in found}) == 1
    assert Memory.objects.count() == 1


def test_many_new_values_at_once_leave_one_live() -> None:
    boss = actor_for_user(make_admin())
    _at_once(
        *(
            lambda last=last: learn(
                actor=boss,
                draft=Draft(
                    scope="agent_notes",
                    kind="fact",
                    content=f"The staging DB is 10.0.4.{last}",
                ),
            )
            for last in range(8)
        )
    )
    assert Memory.objects.count() == 8
    assert Memory.objects.current().count() == 1
    assert Revision.objects.count() == ReviewItem.objects.count() == 7


@pytest.mark.parametrize("change", ["edit", "forget", "purge"])
def test_a_decision_meets_a_change(change: str) -> None:
    boss = actor_for_user(make_admin())
    old, new = (
        records.write(actor=boss, draft=Draft(scope="agent_notes", content=text)).memory
        for text in ("first text", "second text")
    )
    tasks = {
        "edit": lambda: changes.edit(
            actor=boss, uid=old.uid, changes={"content": "third text"}
        ),
        "forget": lambda: changes.forget(actor=boss, uid=old.uid),
        "purge": lambda: changes.purge(actor=boss, uid=old.uid),
    }
    decided, _ = _at_once(lambda: _retire(old, new), tasks[change])
    row = Memory.objects.filter(pk=old.pk).first()
    if isinstance(decided, Refused):
        assert row is None or not row.is_superseded
    elif row is not None:
        assert row.superseded_by == new
        assert change != "edit" or row.content == "third text"
    assert Revision.objects.decisions().count() == bool(row and row.is_superseded)


def test_undone_once_however_many_ask() -> None:
    boss = actor_for_user(make_admin())
    old, new = (
        records.write(actor=boss, draft=Draft(scope="agent_notes", content=text)).memory
        for text in ("first text", "second text")
    )
    _retire(old, new)
    found = _at_once(*(lambda: undo(actor=boss, uid=old.uid) for _ in range(4)))
    assert sum(isinstance(result, GoClawError) for result in found) == 3
    assert Revision.objects.filter(via="undo").count() == 1
