"""A record's page says what replaced what and why, and takes it back."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.actors import actor_for_user, system_actor
from accounts.models import User
from memory import records
from memory.drafts import Draft
from memory.lifecycle.deciding import merge, retire
from memory.models import Memory

pytestmark = pytest.mark.django_db
OLD, NEW = "The staging DB is 10.0.4.12", "The staging DB is <b>10.0.4.13</b>"


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


@pytest.fixture
def note(admin: User) -> Callable[[str], Memory]:
    def write(content: str) -> Memory:
        draft = Draft(scope="agent_notes", kind="fact", content=content)
        return records.write(actor=actor_for_user(admin), draft=draft).memory

    return write


@pytest.fixture
def decided(note: Callable[[str], Memory]) -> tuple[Memory, Memory]:
    old, new = note(OLD), note(NEW)
    retire(
        old=old,
        new=new,
        via="judge",
        actor=system_actor(),
        reason="The newer record replaces it.",
        model="small",
        words="another <i>address</i>",
    )
    return old, new


def test_what_replaced_it_and_why(
    admin_web: Client, decided: tuple[Memory, Memory]
) -> None:
    old, new = decided
    shown = text_of(admin_web.get(f"/records/{old.uid}"))
    assert "&lt;b&gt;10.0.4.13&lt;/b&gt;" in shown
    assert "The newer record replaces it." in shown
    assert "another &lt;i&gt;address&lt;/i&gt;" in shown
    assert "Retired by the judge" in shown
    assert f'action="/records/{old.uid}/undo"' in shown
    other = text_of(admin_web.get(f"/records/{new.uid}"))
    assert "Took the place of" in other
    assert OLD in other
    assert "/undo" not in other


def test_undo(admin_web: Client, decided: tuple[Memory, Memory]) -> None:
    old, _ = decided
    shown = text_of(admin_web.post(f"/records/{old.uid}/undo", follow=True))
    assert "Undone for good" in shown
    assert "Taken back" in shown
    assert "Superseded" not in shown
    old.refresh_from_db()
    assert not old.is_superseded
    twice = text_of(admin_web.post(f"/records/{old.uid}/undo", follow=True))
    assert "undone already" in twice


def test_a_merge_is_undone_from_the_record_it_made(
    admin_web: Client, note: Callable[[str], Memory]
) -> None:
    sources = [note("Backups run at 02:00"), note("Backups are kept 30 days")]
    text = "Backups run at 02:00 and are kept 30 days"
    draft = Draft(scope="agent_notes", kind="fact", content=text)
    merged = merge(sources=sources, draft=draft, actor=system_actor())
    shown = text_of(admin_web.get(f"/records/{merged.uid}"))
    assert "Made of" in shown
    assert f'action="/records/{merged.uid}/undo"' in shown
    after = text_of(admin_web.post(f"/records/{merged.uid}/undo", follow=True))
    assert "2 records are back" in after
    assert set(Memory.objects.current()) == set(sources)


def test_others_see_it_without_the_button(
    alice_web: Client, decided: tuple[Memory, Memory]
) -> None:
    old, _ = decided
    shown = text_of(alice_web.get(f"/records/{old.uid}"))
    assert "The newer record replaces it." in shown
    assert "/undo" not in shown
    assert alice_web.post(f"/records/{old.uid}/undo").status_code == 403
    old.refresh_from_db()
    assert old.is_superseded


def test_it_is_posted_only(admin_web: Client, decided: tuple[Memory, Memory]) -> None:
    assert admin_web.get(f"/records/{decided[0].uid}/undo").status_code == 405
