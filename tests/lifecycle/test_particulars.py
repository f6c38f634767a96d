"""What texts say exactly, in whatever notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.lifecycle.particulars import (
    content_words,
    missing,
    normalise,
    particulars,
    polarity,
)


def same_particulars(one: str, other: str) -> bool:
    """Say whether neither text has a particular that the other lacks."""
    return not missing([one], other) and not missing([other], one)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The DB is 10.0.4.12:5432.", "10.0.4.12:5432|db"),
        ("Needs 5 GB", "5 gb"),
        ("needs 5gb", "5 gb"),
        ("takes 30 seconds or 30 sec", "30 s"),
        ("1,000 rows, 1'000 rows, 1.000.000 rows", "1000|1000000"),
        ("3,5 % of -5 °C", "3.5 %|-5 °c"),
        ("costs $5 or 5 USD", "5 usd"),
        ("three replicas, fünf Knoten", "3|5|knoten"),
        ("v1.2.3 and 1.2.3", "1.2.3"),
        ("db-02, PROJ-123, snake_case", "db-02|proj-123|snake_case"),
        ("on 4 March 2026, March 4, 2026, 04.03.2026", "2026-03-04"),
        ("am 4. März 2026, le 4 mars 2026, 2026年3月4日", "2026-03-04"),
        ("since March 2026", "2026-03"),
        ("by 3/4/2026", "3/4/2026"),
        ("at 2 pm, 14:00, 14 Uhr, 14h00, 14時", "14:00"),
        ("at 12 am and 12:30:15", "00:00|12:30:15"),
        ("on Mondays and Freitag", "day 1|day 5"),
        ("see https://wiki.example.org/a?b=1.", "https://wiki.example.org/a?b=1"),
        ("ask ops@example.org", "ops@example.org"),
        ("in /var/log/app.log", "/var/log/app.log"),
        ("fe80::1 or localhost:8080", "fe80::1|localhost:8080"),
        ("サーバーは10.0.0.5です", "10.0.0.5"),
        ("١٢ servers", "12"),
        ("Anna's iPhone, said Bob", "anna|iphone|bob"),
        ("Prefers tea. Uses vim.", ""),
        ("The report, please", ""),
    ],
)
def test_particulars(text: str, expected: str) -> None:
    assert particulars(text) == frozenset(filter(None, expected.split("|")))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The backup runs at 02:00", "Backups are run at 2 am", True),
        ("the staging db", "The Staging DB", True),
        ("5 GB", "5 MB", False),
        ("3.1", "3.10", False),
        ("db-01", "db-02", False),
        ("Anna likes tea", "Bob likes tea", False),
        ("three nodes", "3 nodes", True),
        ("three nodes", "four nodes", False),
        ("on Monday", "on Tuesday", False),
        ("10²", "102", False),
    ],
)
def test_same_particulars(one: str, other: str, same: bool) -> None:
    assert same_particulars(one, other) is same
    assert same_particulars(other, one) is same


def test_a_merged_text_keeps_particulars_in_any_ending() -> None:
    sources = ["Anna's backups run at 2 am on db-02", "The Backup keeps 30 days"]
    assert not missing(sources, "Backups by Anna on db-02: at 02:00, kept 30 days")
    lost = missing(sources, "Backups run at 02:00 on db-2 and are kept 30 hours")
    assert lost == {"anna", "db-02", "30 day"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The deployment is allowed", 0),
        ("The deployment is not allowed", 1),
        ("The deployment isn't allowed", 1),
        ("Never without a test", 2),
        ("Kein Deployment am Freitag, nie", 2),
        ("Nothing notable, a knot", 1),
        ("不要部署", 1),
        ("動かない", 1),
        ("не надо", 1),
    ],
)
def test_polarity(text: str, count: int) -> None:
    assert polarity(text) == count


def test_normalised_copies_are_equal() -> None:
    assert normalise("  The “DB” is\n ＵＰ. ") == normalise('the "db" is up')
    assert normalise("a-b") != normalise("a b")


def test_content_words_have_a_subject() -> None:
    assert content_words("The backups are running on db-02") == {
        "backup",
        "run",
        "db-02",
    }
    assert "東京" in content_words("東京のサーバー")


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert not missing([text], text)
    assert same_particulars(text, text)
    assert normalise(normalise(text)) == normalise(text)
    assert polarity(text) >= 0
    content_words(text)
