"""What was: revisions, what changed between two, and the way back."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.web.conftest import browser
from tests.wiki.web import links_of, text_of, words_of, write
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(erin: User) -> Client:
    """Return the browser of an editor, and a page `a` of three revisions."""
    client = browser(erin)
    write(client, "a", "one\ntwo\nthree\n", title="A")
    write(client, "a", "one\n2\nthree\n", title="A", base_revision="1", summary="Two")
    write(client, "a", "one\n2\nthree\u200b\n", title="B", tags="t", base_revision="2")
    return client


def test_the_history_names_every_revision(web: Client) -> None:
    answer = web.get("/wiki/-/history/a")
    words = words_of(answer)
    for part in ("Revision 3", "Revision 2", "Revision 1", "Two", "erin"):
        assert part in words
    assert "/wiki/-/diff/a?a=1&b=2" in links_of(answer)


def test_a_long_history_comes_in_pages_and_without_texts(
    web: Client, django_assert_max_num_queries: Any
) -> None:
    page = Page.objects.get()
    then = timezone.now()
    Revision.objects.bulk_create(
        Revision(
            page=page,
            number=n,
            slug="a",
            title="A",
            body="long text " * 100,
            text_hash="x",
            size=1,
            origin="person",
            run_kind="human",
            created_at=then + timedelta(seconds=n),
        )
        for n in range(4, 204)
    )
    Page.objects.update(number=203)
    with django_assert_max_num_queries(16) as queries:
        first = web.get("/wiki/-/history/a")
    # Prepared statements leave no text on PostgreSQL.
    statements = [query["sql"] or "" for query in queries]
    listing = [sql for sql in statements if 'FROM "org_wiki_revisions"' in sql]
    assert listing
    assert not [sql for sql in listing if '"org_wiki_revisions"."body"' in sql]
    assert "Revision 203" in words_of(first)
    assert "Revision 153" not in words_of(first)
    older = next(link for link in links_of(first) if link.startswith("?older="))
    second = words_of(web.get(f"/wiki/-/history/a{older}"))
    assert "Revision 153" in second
    assert "Revision 154" not in second


def test_a_diff_shows_lines_words_and_what_cannot_be_seen(web: Client) -> None:
    answer = web.get("/wiki/-/diff/a?a=1&b=3")
    text, words = text_of(answer), words_of(answer)

    assert "Removed: two" in words
    assert "Added: 2" in words
    assert "U+200B zero width space" in words
    assert "1 change of the text" in words
    assert 'id="change-1"' in text
    assert "Removed: A" in words
    assert "Added: B" in words
    assert "Added: t" in words


def test_a_diff_in_one_column(web: Client) -> None:
    answer = web.get("/wiki/-/diff/a?a=1&b=2&view=unified")
    words = words_of(answer)
    assert words.index("Removed: two") < words.index("Added: 2")
    assert "Side by side" in words


def test_a_diff_compares_with_the_revision_before_unless_told(web: Client) -> None:
    assert "from revision 2 to 3" in words_of(web.get("/wiki/-/diff/a"))
    assert "from revision 1 to 2" in words_of(web.get("/wiki/-/diff/a?b=2"))
    assert "The texts are the same" in words_of(web.get("/wiki/-/diff/a?a=2&b=2"))


def test_a_diff_with_what_the_page_was_on_a_day(web: Client) -> None:
    now = timezone.now()
    for number, days in ((1, 30), (2, 10)):
        Revision.objects.filter(number=number).update(
            created_at=now - timedelta(days=days)
        )
    week_ago = (timezone.localdate() - timedelta(days=7)).isoformat()
    assert f"/wiki/-/diff/a?since={week_ago}" in links_of(web.get("/wiki/-/history/a"))
    answer = web.get(f"/wiki/-/diff/a?since={week_ago}")
    assert "from revision 2 to 3" in words_of(answer)
    long_ago = web.get("/wiki/-/diff/a?since=1999-01-01")
    assert "from revision 1 to 3" in words_of(long_ago)
    for wrong in ("soon", "2025-02-31"):
        assert web.get(f"/wiki/-/diff/a?since={wrong}").status_code == 400


@pytest.mark.parametrize("query", ["a=9", "b=9", "a=x", "a=-1", "a=9999999999999"])
def test_a_revision_that_is_not_there_is_not_found(web: Client, query: str) -> None:
    assert web.get(f"/wiki/-/diff/a?{query}").status_code == 404
    n = query.partition("=")[2]
    assert web.get(f"/wiki/-/revision/a?n={n}").status_code == 404


def test_an_old_revision_is_shown_as_it_was(web: Client) -> None:
    answer = web.get("/wiki/-/revision/a?n=1")
    assert "This is how the page was" in words_of(answer)
    assert "one two three" in words_of(answer)


def test_restoring_is_a_new_revision(web: Client) -> None:
    form = {"revision": "1", "base_revision": "3"}
    answer = web.post("/wiki/-/restore/a", form, follow=True)

    assert "Revision 1 is back, as revision 4" in words_of(answer)
    newest = Revision.objects.get(number=4)
    assert (newest.title, newest.body, newest.tags) == ("A", "one\ntwo\nthree\n", [])


def test_restoring_over_a_change_that_was_not_seen_asks_to_look(web: Client) -> None:
    form = {"revision": "1", "base_revision": "2"}
    write(web, "a", "one\nzwei\nthree\n", title="B", tags="t", base_revision="3")
    answer = web.post("/wiki/-/restore/a", form, follow=True)
    assert "Somebody changed the page meanwhile" in words_of(answer)
    assert Revision.objects.count() == 4


def test_who_may_not_edit_is_not_offered_to_restore(web: Client, bob: User) -> None:
    reader = browser(bob)
    for path in ("history/a", "diff/a?a=1", "revision/a?n=1"):
        assert "/wiki/-/restore/a" not in text_of(reader.get(f"/wiki/-/{path}"))
    answer = reader.post("/wiki/-/restore/a", {"revision": "1"})
    assert answer.status_code == 403
    assert Revision.objects.count() == 3


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_days_at_the_ends_of_the_calendar_have_a_revision(
    web: Client, day: str
) -> None:
    answer = web.get("/wiki/-/diff/a", {"since": day})
    assert answer.status_code == 200
    first_or_last = 1 if day < "1000" else 3
    assert f"from revision {first_or_last} to 3" in words_of(answer)


def test_a_place_beyond_all_numbers_is_just_the_first_page(web: Client) -> None:
    answer = web.get("/wiki/-/history/a", {"older": f"{10**20}-1"})
    assert "Revision 3" in words_of(answer)
