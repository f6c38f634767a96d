"""Links: forward, back, broken; and what the tree and tags show."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actors import system_actor
from goclaw.lib.errors import GoClawError
from memory.models import Memory
from tests.wiki.calls import Wiki
from tests.wiki.counts import counted, counts_of_the_pages
from wiki import links
from wiki.models import Link, Page, Redirect, Section
from wiki.moving import move_page
from wiki.pages import save_page
from wiki.trash import delete_page, undelete_page

pytestmark = pytest.mark.django_db


def broken(wiki: Wiki) -> list[tuple[str, str]]:
    rows = wiki.list("/links/broken")["results"]
    return sorted((row["page"], row["slug"]) for row in rows)


def backlinks(wiki: Wiki, slug: str) -> list[str]:
    rows = wiki.list("/backlinks", slug=slug)["results"]
    return sorted(row["slug"] for row in rows)


def test_links_and_backlinks_follow_the_text(wiki: Wiki) -> None:
    wiki.save("a", "See [[b]], [[B|the same]] and [[c/d|deep]]. `[[code]]`\n")
    assert broken(wiki) == [("a", "b"), ("a", "c/d")]
    wiki.save("b", "Back to [[a]].")
    assert broken(wiki) == [("a", "c/d")]
    assert backlinks(wiki, "b") == ["a"]
    assert backlinks(wiki, "a") == ["b"]
    wiki.save("a", "Nothing.", base_revision=1)
    assert broken(wiki) == []
    assert backlinks(wiki, "b") == []


def test_links_to_an_old_address_are_whole(wiki: Wiki) -> None:
    wiki.save("a", "See [[b]].")
    wiki.save("b")
    wiki.move("b", "c")
    assert broken(wiki) == []
    assert backlinks(wiki, "c") == ["a"]
    wiki.save("d", "See [[b]] too.")
    assert backlinks(wiki, "c") == ["a", "d"]
    assert wiki.read("a")["body"] == "See [[b]]."
    wiki.delete("c")
    assert broken(wiki) == [("a", "b"), ("d", "b")]


def test_missing_pages_are_marked_when_a_page_is_shown(wiki: Wiki) -> None:
    wiki.save("a", "See [[b]].")
    assert "missing" in wiki.read("a", html=True)["html"]
    wiki.save("b")
    assert "missing" not in wiki.read("a", html=True)["html"]


def test_the_tree_shows_one_level_with_counts(wiki: Wiki) -> None:
    for slug in ("home", "ops", "ops/a", "ops/b/c", "team/x/y"):
        wiki.save(slug, title=slug.upper())
    assert wiki.names() == {"home": 0, "ops": 2, "team": 1}
    assert wiki.names("ops") == {"ops/a": 0, "ops/b": 1}
    nodes = wiki.list("/tree", slug="ops")["nodes"]
    assert [(n["name"], n["title"]) for n in nodes] == [("a", "OPS/A"), ("b", None)]
    assert wiki.names("nowhere") == {}


def test_a_wide_level_comes_in_pages(wiki: Wiki) -> None:
    for number in range(5):
        wiki.save(f"p{number}")
    first = wiki.list("/tree", page_size=2)
    assert [node["slug"] for node in first["nodes"]] == ["p0", "p1"]
    rest = wiki.list("/tree", page_size=3, after=first["next"])
    assert [node["slug"] for node in rest["nodes"]] == ["p2", "p3", "p4"]
    assert rest["next"] == ""


def test_tags_are_counted_and_listed(wiki: Wiki) -> None:
    wiki.save("a", tags=["db", "ops"])
    wiki.save("b", tags=["db"])
    rows = wiki.list("/tags")["results"]
    assert rows == [{"name": "db", "pages": 2}, {"name": "ops", "pages": 1}]
    assert wiki.slugs(tag="ops") == ["a"]
    assert wiki.list("/tags", page_size=1)["next"] == "db"


def test_titles_are_suggested_while_typing(wiki: Wiki) -> None:
    wiki.save("ops/pg", title="PostgreSQL failover")
    wiki.save("ops/redis", title="Redis failover, and after")
    wiki.save("猫", title="吾輩は猫である")

    def suggested(text: str) -> list[str]:
        rows = wiki.list("/suggest", query=text)["results"]
        return [row["slug"] for row in rows]

    assert suggested("fail") == ["ops/pg", "ops/redis"]
    assert suggested("FAILOVER post") == ["ops/pg"]
    assert suggested("ops/re") == ["ops/redis"]
    assert suggested("redis") == ["ops/redis"]
    assert suggested("猫") == ["猫"]
    assert suggested("nothing") == suggested("") == suggested("?!") == []
    wiki.move("ops/pg", "db/pg")
    assert suggested("ops") == ["ops/redis"]


# --- whatever happens, what hangs on pages agrees with them --------------------------
SLUGS = st.sampled_from(["a", "b", "a/x", "b/x", "a/x/y", "Ä"])
STEPS = st.lists(
    st.tuples(st.sampled_from(["save", "delete", "undelete", "move"]), SLUGS, SLUGS),
    max_size=10,
)


@given(steps=STEPS)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_counts_links_and_redirects_agree_with_the_pages(
    db: None, steps: list[tuple[str, str, str]]
) -> None:
    for rows in (Page, Section, Memory):
        rows.objects.all().delete()
    actor = system_actor()
    for number, (verb, slug, other) in enumerate(steps):
        try:
            if verb == "save":
                save_page(actor=actor, slug=slug, body=f"{number} [[{other}]]")
            elif verb == "delete":
                delete_page(actor=actor, slug=slug)
            elif verb == "move":
                move_page(actor=actor, slug=slug, to=other)
            elif page := Page.objects.filter(deleted_at__isnull=False).first():
                undelete_page(actor=actor, uid=page.uid, to=other)
        except GoClawError:
            continue
    live = {page.slug_key: page.pk for page in Page.objects.live()}
    assert counted() == counts_of_the_pages()
    redirects = {
        r.slug_key: r.page_id
        for r in Redirect.objects.filter(page__deleted_at__isnull=True)
    }
    for link in Link.objects.all():
        assert link.target_id == (redirects | live).get(link.slug_key)
    assert links.keys_leading_to(list(Page.objects.live())) >= live.keys()
