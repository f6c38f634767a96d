"""Relative days become dates, by when it was said and where the person is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.lifecycle.dating import dated, with_dates

AT = datetime(2026, 3, 27, 12, 0, tzinfo=UTC)
"""A Friday."""

SAID = [
    ("The backup failed yesterday.", "The backup failed on 2026-03-26."),
    ("Yesterday the backup failed.", "On 2026-03-26 the backup failed."),
    ("the day before yesterday", "On 2026-03-25"),
    ("It moves tomorrow", "It moves on 2026-03-28"),
    ("It runs since yesterday", "It runs since 2026-03-26"),
    ("Anna left last Friday", "Anna left on 2026-03-20"),
    ("Anna left last Thursday", "Anna left on 2026-03-26"),
    ("Updated 3 days ago", "Updated on 2026-03-24"),
    ("Updated two weeks ago", "Updated on 2026-03-13"),
    ("Bought three months ago", "Bought in 2025-12"),
    ("Bought 2 years ago", "Bought in 2024"),
    ("We moved last week", "We moved in 2026-03-16/2026-03-22"),
    ("We moved last month", "We moved in 2026-02"),
    ("We moved last year", "We moved in 2025"),
    ("Wir sind gestern umgezogen", "Wir sind am 2026-03-26 umgezogen"),
    ("Der Server ist hier, seit vorgestern", "Der Server ist hier, seit 2026-03-25"),
    ("Wir tagen jeden Morgen", "Wir tagen jeden Morgen"),
    ("Wir tagen morgen", "Wir tagen am 2026-03-28"),
    ("vor drei Tagen", "Am 2026-03-24"),
    ("Le serveur est tombé hier", "Le serveur est tombé le 2026-03-26"),
    ("Nous partons demain", "Nous partons le 2026-03-28"),
    ("El servidor cayó ayer", "El servidor cayó el 2026-03-26"),
    ("Por la mañana no hay nadie", "Por la mañana no hay nadie"),
    ("昨天服务器坏了", "2026-03-26服务器坏了"),
    ("サーバーは昨日移りました", "サーバーは2026-03-26移りました"),
    ("어제 옮겼다", "2026-03-26 옮겼다"),
]


@pytest.mark.parametrize(("text", "wanted"), SAID)
def test_what_it_means(text, wanted):
    assert dated(text, said_at=AT, zone=UTC) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "We meet on Friday",
        "next Friday",
        "It takes 3 days",
        "恐竜は十万年前に",
        "99999 days ago",
        "9999 years ago",
        "todays",
        "Not a word of time",
        "",
    ],
)
def test_what_has_no_one_meaning_stays(text):
    assert dated(text, said_at=AT, zone=UTC) == text
    assert with_dates(text, said_at=AT, zone=UTC) == text


@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        ("Asia/Tokyo", "2026-03-26T16:00:00+00:00", "2026-03-26"),
        ("Europe/Berlin", "2026-03-26T22:30:00+00:00", "2026-03-25"),
        ("Europe/Berlin", "2026-03-26T23:30:00+00:00", "2026-03-26"),
        ("America/Los_Angeles", "2026-03-27T05:00:00+00:00", "2026-03-25"),
        # The nights in which the clocks change.
        ("Europe/Berlin", "2026-03-29T00:30:00+00:00", "2026-03-28"),
        ("Europe/Berlin", "2026-10-25T01:30:00+00:00", "2026-10-24"),
        ("America/Los_Angeles", "2026-03-08T10:30:00+00:00", "2026-03-07"),
    ],
)
def test_the_day_is_the_persons_own(zone, at, day):
    said_at = datetime.fromisoformat(at)
    told = dated("It broke yesterday", said_at=said_at, zone=ZoneInfo(zone))
    assert told == f"It broke on {day}"


@pytest.mark.parametrize(("text", "wanted"), SAID)
def test_noted_dates_take_the_place_of_their_words(text, wanted):
    noted = with_dates(text, said_at=AT, zone=UTC)
    later = AT.replace(year=2027)
    assert dated(noted, said_at=later, zone=UTC) == wanted
    assert with_dates(noted, said_at=later, zone=UTC) == noted


def test_a_note_stands_behind_the_word():
    noted = with_dates("It broke yesterday.", said_at=AT, zone=UTC)
    assert noted == "It broke yesterday [2026-03-26]."
