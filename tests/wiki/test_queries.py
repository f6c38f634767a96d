"""Lists and views ask a fixed number of queries, and for no text they do not show."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor, actor_for_user
from accounts.models import User
from tests.wiki.calls import Wiki
from wiki import feeds, finding, history, links, reading, searching, tagging, tree
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db

Question = Callable[[Actor], Any]


def view(actor: Actor) -> Any:
    page = finding.find_page(actor, "ops/p1").page
    return reading.html_for(actor, reading.rendering_of(history.newest(page)))


def old_address(actor: Actor) -> Any:
    return finding.find_page(actor, "old/p1")


def pages(actor: Actor) -> Any:
    found = finding.listed(Page.objects.readable_by(actor).live())
    return [(p.updated_by, p.space.path) for p in found.order_by("-updated_at")[:50]]


def revisions(actor: Actor) -> Any:
    page = finding.find_page(actor, "ops/p1").page
    found = history.revisions_of(page).order_by("-number")[:50]
    return [(r.number, r.author) for r in found]


def recent(actor: Actor) -> Any:
    found = history.recent_changes(actor).order_by("-created_at", "-id")[:50]
    return [(r.page.slug, r.author) for r in found]


def backlinks(actor: Actor) -> Any:
    return list(links.backlinks(actor, finding.find_page(actor, "ops/p1").page))


# The first two queries of each: the spaces one may read, and the grants on them.
ASKED: list[tuple[Question, int]] = [
    (view, 7),
    (old_address, 4),
    (pages, 3),
    (revisions, 4),
    (recent, 3),
    (backlinks, 4),
    (lambda actor: tree.level(actor), 3),
    (lambda actor: tree.level(actor, "ops"), 3),
    (lambda actor: tagging.tags(actor), 3),
    (lambda actor: list(links.broken(actor)), 4),
    (lambda actor: searching.suggest(actor, "p1"), 4),
    (lambda actor: feeds.atom(actor, site="http://x"), 3),
]


@pytest.mark.parametrize(("question", "count"), ASKED)
@pytest.mark.parametrize("size", [2, 12])
def test_questions_ask_as_often_at_any_size(
    wiki: Wiki,
    admin_wiki: Wiki,
    bob: User,
    question: Question,
    count: int,
    size: int,
) -> None:
    admin_wiki.restrict("hr")
    for number in range(size):
        wiki.save(f"old/p{number}", "[[ops/p1]] [[nowhere]]\n", tags=["t"])
    wiki.move("old", "ops")
    wiki.save("ops/p1", "Again. [[ops/p0]] [[x]]\n", base_revision=1)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        question(actor_for_user(bob))
    # After the person's groups; prepared statements leave no text on PostgreSQL.
    statements = [query["sql"] or "" for query in asked][1:]
    assert len(statements) == count, "\n".join(statements)
    if question is not view:
        assert not [sql for sql in statements if '"body"' in sql]


def test_the_texts_of_a_long_history_stay_in_the_database(
    wiki: Wiki, bob: User
) -> None:
    wiki.save("a", "1")
    page = Page.objects.get()
    Revision.objects.bulk_create(
        Revision(
            page=page,
            number=number,
            slug="a",
            title="A",
            body="x" * 1000,
            text_hash="",
            size=1000,
            origin="person",
            run_kind="human",
        )
        for number in range(2, 1200)
    )
    answer = wiki.list("/history", slug="a", page_size=200)
    assert len(answer["results"]) == 200
    assert "xxxx" not in str(answer)
    seen, after = 0, answer
    while after:
        seen += len(after["results"])
        place = after["next"]
        after = wiki.api.get(place.partition("/api")[2]).json() if place else None
    assert seen == 1199


def test_a_save_asks_as_often_whatever_else_there_is(wiki: Wiki) -> None:
    def queries(number: int) -> int:
        with CaptureQueriesContext(connection) as asked:
            wiki.save("a", f"{number} [[b]]\n", base_revision=number)
        return len(asked)

    wiki.save("a", "0 [[b]]\n")
    first = queries(1)
    for number in range(10):
        wiki.save(f"other/p{number}", "[[a]] [[b]]\n")
    assert queries(2) <= first < 75


def test_tags_count_what_one_reads_wherever_pages_went(
    wiki: Wiki, admin_wiki: Wiki, bob: User
) -> None:
    for slug in ("ops/a", "ops/b", "hr/c"):
        admin_wiki.save(slug, "Text.\n", tags=["t"])

    def seen() -> dict[str, int]:
        found = tagging.tags(actor_for_user(bob)).results
        return {tag.name: tag.pages for tag in found}

    assert seen() == {"t": 3}
    admin_wiki.restrict("hr")
    assert seen() == {"t": 2}
    admin_wiki.move("ops/a", "hr/a")
    assert seen() == {"t": 1}
    admin_wiki.save("hr/c", "More.\n", tags=["t", "u"], base_revision=1)
    assert seen() == {"t": 1}
    admin_wiki.move("hr/a", "ops/a")
    assert seen() == {"t": 2}
