"""Reading the wiki in the browser, and as text for programs."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.models import User
from goclaw.lib import config
from tests.people import api_for
from tests.web.conftest import browser
from tests.wiki.web import links_of, seen, text_of, words_of, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(erin: User) -> Client:
    """Return the browser of an editor."""
    return browser(erin)


@pytest.fixture
def reader_web(bob: User) -> Client:
    """Return the browser of somebody who only reads."""
    return browser(bob)


def test_an_empty_wiki_invites_editors_and_tells_readers(
    web: Client, reader_web: Client
) -> None:
    assert "/wiki/-/new" in links_of(web.get("/wiki/"))
    answer = reader_web.get("/wiki/")
    assert "No pages yet" in words_of(answer)
    assert "/wiki/-/new" not in links_of(answer)


def test_a_page_shows_what_belongs_to_it(web: Client) -> None:
    body = "# Failover\n\nFirst.\n\n## Before\n\nx\n\n## After\n\n[[ops/missing]]\n"
    write(web, "ops/failover", body, title="Failover", tags="db, runbook")
    write(web, "home", "See [[ops/failover]].\n", title="Start")

    answer = web.get("/wiki/ops/failover")

    words, links = words_of(answer), links_of(answer)
    assert text_of(answer).count(">Failover</h1>") == 1, "the heading repeats no title"
    assert "by erin" in words
    assert "revision 1" in words
    assert {"/wiki/", "/wiki/ops", "#h-before", "#h-after"} <= set(links)
    assert "/wiki/-/tags?tag=runbook" in links
    assert "/wiki/home" in links[links.index("#h-after") :], "linked from"
    assert "/wiki/-/edit/ops/failover" in links
    missing = [a for tag, a in seen(answer).tags if a.get("data-slug") == "ops/missing"]
    assert "missing" in (missing[0]["class"] or "")


def test_readers_are_offered_nothing_they_may_not_do(
    web: Client, reader_web: Client
) -> None:
    write(web, "ops/failover")
    links = links_of(reader_web.get("/wiki/ops/failover"))

    assert "/wiki/-/history/ops/failover" in links
    verbs = ("edit", "move", "delete", "restrict", "new")
    assert not [one for one in links if one.split("/-/")[-1].startswith(verbs)]


def test_a_missing_page_can_be_written_by_who_may(
    web: Client, reader_web: Client
) -> None:
    answer = web.get("/wiki/not/yet")
    assert answer.status_code == 404
    assert "/wiki/-/new?slug=not/yet" in links_of(answer)

    answer = reader_web.get("/wiki/not/yet")
    assert answer.status_code == 404
    assert not any("/-/new" in link for link in links_of(answer))


@pytest.mark.parametrize("slug", ["a b", "../etc", "-/nothing", "a//b", "%00"])
def test_what_is_no_address_is_a_missing_page(web: Client, slug: str) -> None:
    assert web.get(f"/wiki/{slug}").status_code == 404


def test_an_address_without_a_page_lists_what_is_below(web: Client) -> None:
    write(web, "ops/failover", title="Failover")
    answer = web.get("/wiki/ops")

    assert answer.status_code == 200
    assert "/wiki/ops/failover" in links_of(answer)


def test_the_tree_is_open_where_one_is_and_opens_further(web: Client) -> None:
    for slug in ("a/b/c", "a/d/e", "f/g"):
        write(web, slug)
    links = links_of(web.get("/wiki/a/b/c"))

    assert "/wiki/a/b/c" in links
    assert "/wiki/a/d" in links
    assert "/wiki/a/d/e" not in links
    assert "/wiki/f/g" not in links
    assert "/wiki/-/pages?slug=a/d" in links, "works without scripts"
    level = web.get("/wiki/-/pages?slug=a/d&fragment=1")
    assert links_of(level) == ["/wiki/a/d/e"]


def test_old_addresses_and_other_spellings_lead_to_the_page(web: Client) -> None:
    write(web, "ops/failover")
    web.post("/wiki/-/move/ops/failover", {"to": "db/failover"})

    answer = web.get("/wiki/ops/failover", follow=True)
    assert answer.redirect_chain == [("/wiki/db/failover?from=ops/failover", 302)]
    assert "Moved here from ops/failover" in words_of(answer)
    answer = web.get("/wiki/DB/Failover", follow=True)
    assert answer.redirect_chain == [("/wiki/db/failover", 302)]
    assert "Moved here" not in words_of(answer)
    assert "Moved here" not in words_of(web.get("/wiki/db/failover?from=made/up"))
    assert web.get("/wiki/ops/failover.md").url == "/wiki/db/failover.md"


def test_the_text_of_a_page_as_it_was_written(web: Client) -> None:
    write(web, "a", "    code\r\n\r\nend  ")
    answer = web.get("/wiki/a.md")

    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer.content == b"    code\n\nend  "


def test_programs_read_with_a_key_what_its_person_reads(web: Client, bob: User) -> None:
    write(web, "ops/failover", "How.\n", title="Fail]over")
    headers = {"Authorization": f"Bearer {api_for(bob).secret}"}

    listed = text_of(Client().get("/llms.txt", headers=headers))
    assert "- [Fail)over](http://testserver/wiki/ops/failover.md): How." in listed
    page = Client().get("/wiki/ops/failover.md", headers=headers)
    assert text_of(page) == "How.\n"
    wrong = {"Authorization": "Bearer gck_wrong"}
    assert Client().get("/llms.txt", headers=wrong).status_code == 401
    assert Client().get("/wiki/no.md", headers=headers).status_code == 404


def test_visitors_read_only_where_a_setting_says_so(web: Client, settings: Any) -> None:
    write(web, "a", title="Open page")
    visitor = Client()
    places = ("/wiki/", "/wiki/a", "/wiki/none", "/wiki/-/recent", "/llms.txt")
    for path in places:
        answer = visitor.get(path)
        assert answer.status_code == 302
        assert "/accounts/login/" in answer.url

    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"anonymous_reading": True}
    config.reset()
    assert "Open page" in words_of(visitor.get("/wiki/a"))
    assert visitor.get("/wiki/none").status_code == 404
    assert "/accounts/login/" in visitor.get("/wiki/-/edit/a").url
    links = links_of(visitor.get("/wiki/a"))
    assert not any("/-/edit/" in link for link in links)
    assert 'action="/wiki/-/search"' in text_of(visitor.get("/wiki/a"))


NASTY = "<img src=x onerror=1></script><script>1"


def test_a_title_is_text_wherever_it_is_shown(web: Client) -> None:
    write(web, "a", "[[b]] onerror\n", title=NASTY, summary=NASTY, tags="t")
    write(web, "b", "[[a]] [[c]]\n", title="B")
    write(web, "a", "[[b]] onerror 2\n", title=NASTY + "2", base_revision="1")
    web.post("/wiki/-/delete/b", {"base_revision": "1"})
    paths = [
        *("/wiki/a", "/wiki/-/pages", "/wiki/-/recent", "/wiki/-/broken"),
        *("/wiki/-/tags?tag=t", "/wiki/-/search?q=onerror", "/wiki/-/history/a"),
        *("/wiki/-/diff/a?a=1&b=2", "/wiki/-/diff/a?a=1&view=unified"),
        *("/wiki/-/revision/a?n=1", "/wiki/-/edit/a", "/wiki/-/move/a"),
        *("/wiki/-/delete/a", "/wiki/-/files/a", "/wiki/-/feed.atom"),
        f"/wiki/-/search?q={NASTY}",
    ]
    for path in paths:
        answer = web.get(path)
        assert answer.status_code == 200, path
        tags = seen(answer).tags
        assert not [tag for tag, a in tags if "onerror" in a], path
        scripts = [a for tag, a in tags if tag == "script"]
        assert all(script.get("src") for script in scripts), path


def test_every_page_keeps_to_the_policy_of_no_inline_code(web: Client) -> None:
    write(web, "a", "Text\n")
    for path in ("/wiki/a", "/wiki/-/edit/a", "/wiki/-/history/a", "/wiki/-/import"):
        answer = web.get(path)
        assert "'unsafe-inline'" not in answer["Content-Security-Policy"]
        found = [(tag, a) for tag, a in seen(answer).tags if "style" in a]
        assert found == [], path
        assert not [tag for tag, _ in seen(answer).tags if tag == "style"]


def test_a_page_takes_few_queries_whatever_hangs_on_it(
    web: Client, django_assert_max_num_queries: Any
) -> None:
    for n in range(6):
        write(web, f"ops/run/p{n}", "[[ops/run/p0]] [[gone]]\n", title=f"P {n}")
    web.get("/wiki/ops/run/p0")
    with django_assert_max_num_queries(22):
        web.get("/wiki/ops/run/p0")


def test_the_first_view_is_light(web: Client) -> None:
    write(web, "a", "Text\n")
    answer = web.get("/wiki/a")
    total, scripts = len(answer.content), 0
    for module in ("suggest", "text"):  # which the page's script imports
        scripts += Path(str(finders.find(f"js/wiki-{module}.js"))).stat().st_size
    for tag, attrs in seen(answer).tags:
        address = attrs.get("src") or attrs.get("href") or ""
        if tag in {"script", "link"} and address.startswith("/static/"):
            path = finders.find(address.removeprefix("/static/"))
            size = Path(str(path)).stat().st_size
            total += size
            scripts += size if tag == "script" else 0
    assert scripts < 60_000
    assert total < 250_000


def test_a_search_finds_pages_by_title_and_by_what_they_say(web: Client) -> None:
    write(web, "ops/failover", "Promote the replica.\n", title="Failover")
    found = links_of(web.get("/wiki/-/search?q=replica"))
    assert "/wiki/ops/failover" in found[found.index("/wiki/") :]
    answer = web.get("/wiki/-/search?q=failov")
    assert "By titleFailover ops/failover" in words_of(answer)
    nothing = web.get("/wiki/-/search?q=zzzz")
    assert "/wiki/-/new?title=zzzz" in links_of(nothing)
