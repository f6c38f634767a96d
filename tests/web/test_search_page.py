"""The search page: hits with reasons, filters, and honest empty answers."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from goclaw.lib import config
from memory.models import Memory
from memory.web.hits import age, highlighted

pytestmark = pytest.mark.django_db

Write = Callable[..., Memory]


def results(answer: Any) -> list[str]:
    """Return the record ids of the hits, best first."""
    page = answer.content.decode()
    return re.findall(r'href="/records/([0-9a-f-]{36})\?lines=', page)


@pytest.fixture(autouse=True)
def _every_candidate_is_a_hit(settings: Any) -> None:
    """Take the floor off: these tests are about the page, not about the ranking."""
    settings.GOCLAW_SEARCH = settings.GOCLAW_SEARCH | {"min_score": 0.0}
    config.reset()


@pytest.fixture
def indexed(run_jobs: Callable[[], int]) -> Callable[[], int]:
    return run_jobs


def test_a_hit_has_its_snippet_score_and_reasons(
    alice: User, alice_web: Client, write: Write, indexed: Callable[[], int]
) -> None:
    memory = write(
        alice, "The <relay> at 10.0.4.17 drops mail.", title="Relay", tags=["ops"]
    )
    write(alice, "Tea, never coffee.")
    indexed()

    answer = alice_web.get("/search", {"q": "relay 10.0.4.17"})

    page = answer.content.decode()
    assert results(answer)[0] == str(memory.uid)
    assert "&lt;<mark>relay</mark>&gt;" in page
    assert "<mark>10.0.4.17</mark>" in page
    assert "Why this result" in page
    assert re.search(r"Score </span>[01]\.\d\d", page)
    assert re.search(r"\d+ results? in \d+ ms", page)


def test_found_by_word_at_once_and_said_to_be_pending(
    alice: User, alice_web: Client, write: Write
) -> None:
    memory = write(alice, "A thing about frobnication.")

    answer = alice_web.get("/search", {"q": "frobnication"})

    assert results(answer) == [str(memory.uid)]
    assert "1 record is still being indexed" in answer.content.decode()


def test_strangers_find_nothing(
    alice: User, bob_web: Client, admin_web: Client, write: Write
) -> None:
    write(alice, "A thing about frobnication.")

    for stranger in (bob_web, admin_web):
        answer = stranger.get("/search", {"q": "frobnication"})
        assert results(answer) == []
        assert "being indexed" not in answer.content.decode()


def test_nothing_found_says_whether_the_index_is_complete(
    alice: User, alice_web: Client, write: Write, indexed: Callable[[], int]
) -> None:
    write(alice, "Tea, never coffee.")
    behind = alice_web.get("/search", {"q": "10.9.8.7", "since": "2999-01-01"})
    assert "within the filters" in behind.content.decode()

    Memory.objects.update(index_state="pending")
    assert b"the index is not complete" in alice_web.get("/search?q=%3F%3F").content

    indexed()
    assert b"The index is complete" in alice_web.get("/search?q=%3F%3F").content


def test_filters_apply_and_can_be_taken_off(
    alice: User, alice_web: Client, write: Write, indexed: Callable[[], int]
) -> None:
    fact = write(alice, "The shed is green.", kind="fact", domain="garden", tags=["a"])
    note = write(alice, "The shed leaks.", kind="note", domain="garden")
    indexed()

    def found(**filters: Any) -> set[str]:
        return set(results(alice_web.get("/search", {"q": "shed", **filters})))

    today = timezone.localdate()
    assert found() == {str(fact.uid), str(note.uid)}
    assert found(kind="fact") == {str(fact.uid)}
    assert found(kind=["fact", "note"]) == {str(fact.uid), str(note.uid)}
    assert found(tag="a") == {str(fact.uid)}
    assert found(scope="global") == set()
    assert found(since=today, until=today) == {str(fact.uid), str(note.uid)}
    assert found(until=today - timedelta(days=1)) == set()

    page = alice_web.get("/search?q=shed&kind=fact&kind=note&tag=a").content.decode()
    assert 'href="?q=shed&amp;kind=note&amp;tag=a"' in page
    assert 'href="?q=shed&amp;kind=fact&amp;kind=note"' in page


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("scope", "nonsense", "not one of the available choices"),
        ("kind", "nonsense", "not one of the available choices"),
        ("domain", "No Such", "Use small letters"),
        ("agent", "No Such", "Enter a valid value"),
        ("tag", "Ä", "Malformed tag"),
        ("since", "yesterday", "Enter a valid date"),
        ("until", "2000-01-01", "It lies before"),
        ("q", "a\0b", "Null characters are not allowed"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(
    alice_web: Client, name: str, value: str, error: str
) -> None:
    asked = {"q": "shed", "since": "2001-01-01", name: value}

    answer = alice_web.get("/search", asked)

    assert answer.status_code == 400
    assert error in answer.content.decode()
    assert results(answer) == []


def test_only_scopes_with_something_to_read_are_offered(
    alice: User,
    admin: User,
    bob_web: Client,
    alice_web: Client,
    admin_web: Client,
    write: Write,
) -> None:
    def offered(web: Client, query: str = "") -> list[str]:
        page = web.get(f"/search{query}").content.decode()
        return re.findall(r'name="scope" value="(\w+)"', page)

    assert offered(alice_web) == []
    write(alice, "Mine.")
    write(admin, "Ours.", scope="agent_notes")
    write(admin, "Be brief.", scope="agent_config")

    assert offered(bob_web) == ["agent_notes"]
    assert offered(alice_web) == ["personal", "agent_notes"]
    assert offered(admin_web) == ["agent_notes", "agent_config"]
    assert offered(bob_web, "?scope=wikijs") == ["agent_notes", "wikijs"]


def test_superseded_records_come_only_when_asked_for(
    alice: User, alice_web: Client, write: Write
) -> None:
    old = write(alice, "The port is 5432.", key="port", domain="db")
    new = write(alice, "The port is 5433.", key="port", domain="db")

    plain = alice_web.get("/search", {"q": "port"})
    both = alice_web.get("/search", {"q": "port", "history": "on"})

    assert results(plain) == [str(new.uid)]
    assert set(results(both)) == {str(new.uid), str(old.uid)}
    assert f'href="/records/{new.uid}">newer record' in both.content.decode()


def test_more_hits_can_be_asked_for(
    alice: User, alice_web: Client, write: Write
) -> None:
    for n in range(20):
        write(alice, f"shed number {n}")

    first = alice_web.get("/search", {"q": "shed"})
    more = alice_web.get("/search", {"q": "shed", "n": "30"})

    assert len(results(first)) == 15
    assert results(more)[:15] == results(first)
    assert b"n=30" in first.content
    assert b"Show more" not in more.content


def test_a_search_takes_a_fixed_number_of_queries(
    alice: User, alice_web: Client, write: Write, django_assert_max_num_queries: Any
) -> None:
    for n in range(15):
        write(alice, f"shed number {n}", tags=["a", "b"])
    alice_web.get("/search", {"q": "shed"})

    with django_assert_max_num_queries(26):
        alice_web.get("/search", {"q": "shed"})


@pytest.mark.parametrize(
    ("matches", "marked"),
    [
        ([], []),
        ([(0, 3)], ["one"]),
        ([(4, 7), (0, 3)], ["one", "two"]),
        ([(0, 5), (4, 7)], ["one t", "wo"]),
        ([(8, 8)], []),
    ],
)
def test_highlighting_keeps_every_character(
    matches: list[tuple[int, int]], marked: list[str]
) -> None:
    parts = highlighted("one two three", matches)

    assert "".join(part.text for part in parts) == "one two three"
    assert [part.text for part in parts if part.changed] == marked


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (0.2, "today"),
        (1, "1 day old"),
        (6.9, "6 days old"),
        (15, "2 weeks old"),
        (61, "2 months old"),
        (800, "2 years old"),
    ],
)
def test_ages_are_said_in_their_unit(days: float, said: str) -> None:
    assert age(days) == said
