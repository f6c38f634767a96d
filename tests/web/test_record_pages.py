"""The record page and what it does: edit, forget, undo, purge; and who may."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.models import Memory, Revision

pytestmark = pytest.mark.django_db

Write = Callable[..., Memory]


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def form_of(memory: Memory, **changed: Any) -> dict[str, Any]:
    """Return what the edit form would send, as a browser sends it: with CRLF."""
    sent = {
        "content": memory.content.replace("\n", "\r\n"),
        "title": memory.title,
        "kind": memory.kind,
        "domain": memory.domain,
        "tags": ", ".join(memory.tag_names()),
        "importance": memory.importance,
        "observed_at": f"{memory.observed_at:%Y-%m-%dT%H:%M:%S}",
        "expires_at": "",
        "version": memory.version,
    }
    return sent | changed


def test_the_page_shows_text_and_facts(
    alice: User, alice_web: Client, write: Write
) -> None:
    memory = write(
        alice,
        "Tea, never coffee.",
        title="Drinks",
        kind="preference",
        domain="kitchen",
        tags=["style"],
        metadata={"seen": 3},
    )

    page = text_of(alice_web.get(f"/records/{memory.uid}"))

    for shown in ("Tea, never coffee.", "Drinks", "preference", "kitchen", "style"):
        assert shown in page
    assert "&quot;seen&quot;: 3" in page
    assert str(memory.uid) in page


def test_markup_in_a_record_is_only_text(
    alice: User, alice_web: Client, write: Write
) -> None:
    hostile = "<script>alert(1)</script> <img src=x onerror=alert(2)>"
    memory = write(alice, hostile, title="<b>bold</b>", tags=["x"])

    for path in (f"/records/{memory.uid}", "/memories/", "/"):
        page = text_of(alice_web.get(path))
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<b>bold" not in page


def test_cited_lines_are_marked(alice: User, alice_web: Client, write: Write) -> None:
    memory = write(alice, "one\ntwo\nthree\nfour")

    page = text_of(alice_web.get(f"/records/{memory.uid}?lines=2-3"))

    assert '<mark class="cited" id="cited">two\nthree</mark>' in page


@pytest.mark.parametrize("lines", ["0-1", "3-2", "9", "x", "-", "1-99", "²"])
def test_nonsense_lines_mark_nothing(
    alice: User, alice_web: Client, write: Write, lines: str
) -> None:
    memory = write(alice, "one\ntwo")

    answer = alice_web.get(f"/records/{memory.uid}", {"lines": lines})

    assert answer.status_code == 200
    assert 'id="cited"' not in text_of(answer)


@pytest.mark.parametrize("who", ["bob", "admin"])
@pytest.mark.parametrize(
    ("method", "verb"),
    [
        ("get", ""),
        ("get", "/edit"),
        ("post", "/edit"),
        ("post", "/forget"),
        ("post", "/restore"),
        ("get", "/purge"),
        ("post", "/purge"),
    ],
)
def test_a_stranger_gets_what_a_missing_record_gives(
    alice: User, write: Write, request: Any, who: str, method: str, verb: str
) -> None:
    stranger: Client = request.getfixturevalue(f"{who}_web")
    memory = write(alice, "Alice's secret")

    answer = getattr(stranger, method)(f"/records/{memory.uid}{verb}")

    assert answer.status_code == 404
    assert "secret" not in text_of(answer)
    assert Memory.objects.get(pk=memory.pk).forgotten_at is None


def test_an_edit_keeps_the_old_text_in_the_history(
    alice: User, alice_web: Client, write: Write
) -> None:
    memory = write(alice, "The port is 5432.\nAsk Bea.", tags=["db"])

    answer = alice_web.post(
        f"/records/{memory.uid}/edit",
        form_of(memory, content="The port is 5433.\r\nAsk Bea.", tags="db, pg"),
        follow=True,
    )

    page = text_of(answer)
    assert "Saved." in page
    assert "<b>5432" in page
    assert "<b>5433" in page
    changed = Memory.objects.get(pk=memory.pk)
    assert changed.content == "The port is 5433.\nAsk Bea."
    assert changed.tag_names() == ["db", "pg"]


@pytest.mark.parametrize("content", ["one\r\ntwo", "one\ntwo\n", "\n\n one ", "a\rb"])
def test_saving_an_unchanged_form_changes_nothing(
    alice: User, alice_web: Client, write: Write, content: str
) -> None:
    memory = write(alice, content, title="T", tags=["b", "a"])
    as_sent = content.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")

    answer = alice_web.post(
        f"/records/{memory.uid}/edit", form_of(memory, content=as_sent)
    )

    assert answer.status_code == 302
    assert Memory.objects.get(pk=memory.pk).content == content
    assert not Revision.objects.exists()


def test_a_newer_version_is_never_overwritten(
    alice: User, alice_web: Client, write: Write
) -> None:
    memory = write(alice, "first")
    stale = form_of(memory, content="from the stale tab")
    alice_web.post(
        f"/records/{memory.uid}/edit", form_of(memory, content="from the other tab")
    )

    answer = alice_web.post(f"/records/{memory.uid}/edit", stale)

    page = text_of(answer)
    assert answer.status_code == 409
    assert "from the stale tab" in page
    assert "from the other tab" in page
    assert Memory.objects.get(pk=memory.pk).content == "from the other tab"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"content": ""}, "This field is required"),
        ({"content": " \r\n "}, "The content is empty"),
        ({"content": "x" * 66_000}, "a record takes 65,536"),
        ({"content": "a\0b"}, "Null characters are not allowed"),
        ({"kind": "nonsense"}, "not one of the available choices"),
        ({"domain": "No Spaces"}, "Malformed domain"),
        ({"tags": "fine, NotFine"}, "Malformed tag"),
        ({"tags": "critical"}, "set and cleared by administrators"),
        ({"importance": "11"}, "less than or equal to 10"),
        ({"importance": "x"}, "Enter a whole number"),
        ({"title": "t" * 301}, "at most 300 characters"),
        ({"observed_at": "2999-01-01T00:00:00"}, "lies in the future"),
        ({"observed_at": "yesterday"}, "Enter a valid date/time"),
        ({"expires_at": "2001-01-01T00:00:00"}, "lies in the past"),
        ({"version": ""}, ""),
    ],
)
def test_a_bad_edit_says_what_is_wrong_and_changes_nothing(
    alice: User, alice_web: Client, write: Write, changed: dict[str, str], error: str
) -> None:
    memory = write(alice, "as it was")

    answer = alice_web.post(f"/records/{memory.uid}/edit", form_of(memory, **changed))

    assert answer.status_code == 200
    assert error in text_of(answer)
    assert Memory.objects.get(pk=memory.pk).version == 1


def test_forgetting_can_be_undone(alice: User, alice_web: Client, write: Write) -> None:
    memory = write(alice, "Not so sure about this.")

    page = text_of(alice_web.post(f"/records/{memory.uid}/forget", follow=True))
    assert "Forgotten." in page
    assert f'action="/records/{memory.uid}/restore"' in page
    assert "Not so sure" not in page

    assert "Not so sure" in text_of(alice_web.get("/memories/bin"))
    assert "Forgotten" in text_of(alice_web.get(f"/records/{memory.uid}"))
    assert alice_web.get(f"/records/{memory.uid}/edit").status_code == 404

    alice_web.post(f"/records/{memory.uid}/restore")
    assert "Not so sure" in text_of(alice_web.get("/memories/"))
    assert "Not so sure" not in text_of(alice_web.get("/memories/bin"))


def test_readers_of_a_shared_record_see_no_buttons(
    admin: User, alice_web: Client, write: Write
) -> None:
    memory = write(admin, "For everybody", scope="agent_notes")

    page = text_of(alice_web.get(f"/records/{memory.uid}"))
    refused = alice_web.post(f"/records/{memory.uid}/forget")

    assert "For everybody" in page
    assert "/forget" not in page
    assert refused.status_code == 403
    assert "You are not among the writers of agent_notes." in text_of(refused)
    assert alice_web.get(f"/records/{memory.uid}/edit").status_code == 403


def test_only_administrators_delete_for_good(
    alice: User, admin: User, alice_web: Client, admin_web: Client, write: Write
) -> None:
    own = write(alice, "mine")
    shared = write(admin, "ours", scope="agent_notes")

    assert alice_web.post(f"/records/{own.uid}/purge").status_code == 403
    assert "Delete for good?" in text_of(admin_web.get(f"/records/{shared.uid}/purge"))
    assert admin_web.post(f"/records/{shared.uid}/purge").status_code == 302
    assert list(Memory.objects.values_list("pk", flat=True)) == [own.pk]


def test_neighbours_of_a_sequence_stand_around_the_record(
    alice: User, alice_web: Client, write: Write
) -> None:
    turns = [
        write(alice, f"turn {n}.", sequence_id="talk", sequence_position=n)
        for n in range(9)
    ]

    page = text_of(alice_web.get(f"/records/{turns[4].uid}"))

    shown = [n for n in range(9) if f"turn {n}." in page]
    assert shown == [1, 2, 3, 4, 5, 6, 7]


def test_the_page_takes_a_fixed_number_of_queries(
    alice: User, alice_web: Client, write: Write, django_assert_max_num_queries: Any
) -> None:
    memory = write(alice, "text", tags=["a", "b"], sequence_id="s", sequence_position=0)
    for n in range(1, 5):
        write(alice, f"next {n}", sequence_id="s", sequence_position=n, tags=["c"])
    for n in range(5):
        memory.refresh_from_db()
        alice_web.post(f"/records/{memory.uid}/edit", form_of(memory, title=f"v{n}"))

    with django_assert_max_num_queries(16):
        alice_web.get(f"/records/{memory.uid}")
