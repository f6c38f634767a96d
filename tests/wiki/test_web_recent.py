"""Recent changes in the browser: by days, one's saves in a row as one change."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.web.conftest import browser
from tests.wiki.calls import Wiki
from tests.wiki.web import links_of, text_of, words_of
from wiki.models import Revision
from wiki.web import list_views, recent

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(erin: User) -> Client:
    """Return the browser of an editor."""
    return browser(erin)


def test_saves_of_one_person_in_a_row_are_one_change(
    wiki: Wiki, admin_wiki: Wiki, web: Client
) -> None:
    for number in range(3):
        wiki.save("a", f"{number}", base_revision=number or None, summary=f"s{number}")
    admin_wiki.save("a", "3", base_revision=3)
    wiki.save("a", "4", base_revision=4)
    wiki.save("b", "x")

    page = web.get("/wiki/-/recent")

    heads = re.findall(r"<h3><a[^>]*>([^<]*)</a>", text_of(page))
    assert heads == ["B", "A", "A", "A"]
    assert words_of(page).count("3 changes") == 1
    for pair in ("a=4&b=5", "a=3&b=4", "a=1&b=3", "a=1&b=2", "a=2&b=3"):
        assert f"/wiki/-/diff/a?{pair}" in links_of(page)


def test_changes_are_listed_by_the_day(wiki: Wiki, web: Client) -> None:
    for number in range(4):
        wiki.save("a", f"{number}", base_revision=number or None)
    noon = timezone.localtime().replace(hour=12)
    for number, days in ((1, 2), (2, 1), (3, 1), (4, 0)):
        moment = noon - timedelta(days=days)
        Revision.objects.filter(number=number).update(created_at=moment)

    page = web.get("/wiki/-/recent")

    days = re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)">', text_of(page))
    assert days == [f"{noon - timedelta(days=days):%Y-%m-%d}" for days in range(3)]
    assert words_of(page).count("2 changes") == 1


def test_recent_changes_go_on_from_page_to_page(
    wiki: Wiki, web: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_views, "CHANGES", 2)
    for slug in "abcde":
        wiki.save(slug)
    seen, address = [], "/wiki/-/recent"
    while address:
        page = web.get(address)
        seen += re.findall(r"<h3><a[^>]*>([^<]*)</a>", text_of(page))
        older = [link for link in links_of(page) if "older=" in link]
        address = f"/wiki/-/recent{older[0]}" if older else ""
    assert seen == list("EDCBA")


def test_a_change_shows_once_where_the_list_is_cut(
    wiki: Wiki, admin_wiki: Wiki, web: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_views, "CHANGES", 2)
    wiki.save("a", "0")
    for number in range(1, 6):
        wiki.save("a", f"{number}", base_revision=number)
        wiki.save("b", f"{number}", base_revision=number - 1 or None)
    admin_wiki.save("b", "6", base_revision=5)

    page = web.get("/wiki/-/recent")
    older = next(link for link in links_of(page) if "older=" in link)
    rest = web.get(f"/wiki/-/recent{older}")

    heads = [re.findall(r"<h3><a[^>]*>([^<]*)</a>", text_of(p)) for p in (page, rest)]
    assert heads == [["B", "B"], ["A"]]
    assert "5 changes" in words_of(page)
    assert "6 changes" in words_of(rest)
    newer = next(link for link in links_of(rest) if "newer=" in link)
    assert words_of(web.get(f"/wiki/-/recent{newer}")).count("5 changes") == 1


def test_of_very_many_saves_the_newest_are_listed(
    wiki: Wiki, web: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "SAVES", 2)
    for number in range(5):
        wiki.save("a", f"{number}", base_revision=number or None)

    page = web.get("/wiki/-/recent")

    assert "5 changes" in words_of(page)
    assert "and 3 more" in words_of(page)
    assert "/wiki/-/history/a" in links_of(page)
    assert "/wiki/-/diff/a?a=1&b=5" in links_of(page)


def test_saves_of_people_who_are_gone_are_one_change(
    wiki: Wiki, web: Client, erin: User
) -> None:
    for number in range(2):
        wiki.save("a", f"{number}", base_revision=number or None)
    Revision.objects.update(author=None)

    assert "2 changes" in words_of(web.get("/wiki/-/recent"))
