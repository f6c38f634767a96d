"""Lists: whose records, which page of them, narrowed to what; adding one."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memory.models import Memory

pytestmark = pytest.mark.django_db

Write = Callable[..., Memory]


def shown(answer: Any) -> list[str]:
    """Return the numbered records of a page, in order."""
    return re.findall(r"record (\d+)\.", answer.content.decode())


def cursor(answer: Any, name: str) -> str:
    """Return the address of the next page, without its question mark."""
    found = re.search(rf'href="\?([^"]*\b{name}=[^"]+)"', answer.content.decode())
    return found[1].replace("&amp;", "&") if found else ""


@pytest.fixture
def many(alice: User, write: Write) -> None:
    for n in range(120):
        write(alice, f"record {n}.")


@pytest.mark.usefixtures("many")
def test_pages_walk_down_and_up_again(alice_web: Client) -> None:
    first = alice_web.get("/memories/")
    second = alice_web.get(f"/memories/?{cursor(first, 'older')}")
    third = alice_web.get(f"/memories/?{cursor(second, 'older')}")
    back = alice_web.get(f"/memories/?{cursor(third, 'newer')}")

    walked = shown(first) + shown(second) + shown(third)
    assert walked == [str(n) for n in reversed(range(120))]
    assert not cursor(first, "newer")
    assert not cursor(third, "older")
    assert shown(back) == shown(second)


@pytest.mark.usefixtures("many")
def test_a_record_written_meanwhile_moves_no_page(
    alice: User, alice_web: Client, write: Write
) -> None:
    older = cursor(alice_web.get("/memories/"), "older")
    before = shown(alice_web.get(f"/memories/?{older}"))

    write(alice, "record 999.")

    assert shown(alice_web.get(f"/memories/?{older}")) == before


@pytest.mark.parametrize("marker", ["x", "1-", "-1", "1-2-3", "9" * 30 + "-1", "²-1"])
def test_a_made_up_marker_is_refused(alice_web: Client, marker: str) -> None:
    answer = alice_web.get("/memories/", {"older": marker})

    assert answer.status_code == 400
    assert "page marker is malformed" in answer.content.decode()


@pytest.mark.usefixtures("many")
def test_a_page_costs_the_same_for_any_number_of_rows(
    alice_web: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(9):
        alice_web.get("/memories/")


def test_lists_hold_only_what_one_may_read(
    alice: User, admin: User, bob_web: Client, admin_web: Client, write: Write
) -> None:
    write(alice, "record 1.")
    write(admin, "record 2.", scope="agent_notes")
    write(admin, "record 3.", scope="agent_config")

    assert shown(bob_web.get("/memories/")) == []
    assert shown(bob_web.get("/records/")) == ["2"]
    assert shown(bob_web.get("/")) == ["2"]
    assert shown(admin_web.get("/records/?scope=agent_config")) == ["3"]
    assert shown(bob_web.get("/memories/bin")) == []


@pytest.mark.parametrize("scope", ["agent_config", "personal", "nonsense"])
def test_only_readable_shared_scopes_can_be_browsed(
    bob_web: Client, scope: str
) -> None:
    assert bob_web.get("/records/", {"scope": scope}).status_code == 400


def test_filters_narrow_the_list(alice: User, alice_web: Client, write: Write) -> None:
    write(alice, "record 1.", kind="fact", domain="db", tags=["x", "y"])
    write(alice, "record 2.", kind="note", domain="db", tags=["x"])
    old = write(alice, "record 3.", kind="fact", domain="db", tags=["y"])
    Memory.objects.filter(pk=old.pk).update(superseded_at=timezone.now())

    assert shown(alice_web.get("/memories/?kind=fact")) == ["1"]
    assert shown(alice_web.get("/memories/?tag=x")) == ["2", "1"]
    assert shown(alice_web.get("/memories/?tag=y&history=on")) == ["3", "1"]
    nothing = alice_web.get("/memories/?domain=other")
    assert "Nothing fits these filters" in nothing.content.decode()


def test_expired_records_are_gone(alice: User, alice_web: Client, write: Write) -> None:
    soon = write(alice, "record 1.", expires_at=timezone.now() + timedelta(days=1))
    Memory.objects.filter(pk=soon.pk).update(expires_at=timezone.now())

    assert shown(alice_web.get("/memories/")) == []
    page = alice_web.get(f"/records/{soon.uid}").content.decode()
    assert "no search finds it any more" in page


def test_the_bin_says_how_long_things_can_be_restored(
    alice: User, alice_web: Client, write: Write
) -> None:
    fresh = write(alice, "record 1.")
    late = write(alice, "record 2.")
    now = timezone.now()
    for memory, days in ((fresh, 2), (late, 31)):
        Memory.objects.filter(pk=memory.pk).update(
            forgotten_at=now - timedelta(days=days)
        )

    answer = alice_web.get("/memories/bin")

    assert shown(answer)[0] == "1"
    assert "2" not in shown(answer)
    assert "purged in 28 days" in answer.content.decode()


def test_the_bin_holds_shared_records_of_those_who_may_write_there(
    admin: User, admin_web: Client, alice_web: Client, write: Write
) -> None:
    memory = write(admin, "record 1.", scope="agent_notes")
    admin_web.post(f"/records/{memory.uid}/forget")

    assert "1" in shown(admin_web.get("/memories/bin"))
    assert shown(alice_web.get("/memories/bin")) == []


def test_a_person_adds_a_memory(alice_web: Client) -> None:
    answer = alice_web.post(
        "/memories/add",
        {
            "content": "Likes\r\nred.",
            "scope": "personal",
            "kind": "preference",
            "domain": "colours",
            "tags": "style taste,  style",
            "importance": "7",
        },
        follow=True,
    )

    memory = Memory.objects.get()
    assert answer.redirect_chain == [(f"/records/{memory.uid}", 302)]
    assert memory.content == "Likes\nred."
    assert memory.tag_names() == ["style", "taste"]
    assert (memory.scope, memory.origin, memory.importance) == ("personal", "person", 7)


def test_adding_the_same_again_leads_to_the_first(alice_web: Client) -> None:
    form = {"content": "x", "scope": "personal", "kind": "note", "importance": 5}
    alice_web.post("/memories/add", form)

    answer = alice_web.post("/memories/add", form, follow=True)

    assert "already there" in answer.content.decode()
    assert Memory.objects.count() == 1


def test_scopes_on_offer_are_those_one_may_write(
    alice_web: Client, admin_web: Client
) -> None:
    def offered(answer: Any) -> list[str]:
        page = answer.content.decode()
        return re.findall(r'<option value="(\w+)"', page.split("id_kind")[0])

    assert offered(alice_web.get("/memories/add")) == ["personal"]
    assert offered(admin_web.get("/memories/add"))[:2] == ["personal", "agent_notes"]


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"content": ""}, "This field is required"),
        ({"scope": "global"}, "not one of the available choices"),
        ({"scope": ""}, "This field is required"),
        ({"tags": "Ä"}, "Malformed tag"),
        ({"tags": "unverified"}, "set and cleared by administrators"),
        ({"domain": "-x"}, "Malformed domain"),
        ({"importance": "0"}, "greater than or equal to 1"),
        ({"observed_at": "2999-01-01T00:00"}, "lies in the future"),
    ],
)
def test_a_bad_memory_is_refused_at_its_field(
    alice_web: Client, changed: dict[str, str], error: str
) -> None:
    form = {"content": "x", "scope": "personal", "kind": "note", "importance": "5"}

    answer = alice_web.post("/memories/add", form | changed)

    assert answer.status_code == 200
    assert error in answer.content.decode()
    assert not Memory.objects.exists()
