"""Somebody else's page is a missing page: the same answer at every door."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import Group

from accounts.actors import actor_for_user
from accounts.models import User
from goclaw.lib import config
from memory.models import Chunk, Embedding, Memory, Space
from memory.spaces import WIKI_EDITORS
from tests.people import Api, api_for, make_user
from tests.wiki.calls import Wiki
from tests.wiki.test_moving import counted, counts_of_the_pages
from wiki import feeds
from wiki.api.urls import urlpatterns
from wiki.models import Page

pytestmark = pytest.mark.django_db

SECRET = "hr/salaries"


@pytest.fixture
def stranger() -> Wiki:
    """Return the wiki in the hands of an editor who is not listed for `hr`."""
    user = make_user("stella")
    user.groups.add(Group.objects.get(name=WIKI_EDITORS))
    return Wiki(api_for(user))


@pytest.fixture
def hidden(admin_wiki: Wiki, wiki: Wiki) -> Any:
    """Save a page in a restricted section; pages around it that anybody reads."""
    wiki.save("home", f"See [[{SECRET}]] and [[nowhere]].\n", tags=["open"])
    admin_wiki.save(
        SECRET, "The axolotl earns 9.\n", title="Secret title", tags=["money"]
    )
    admin_wiki.save("hr/old", "Once.\n")
    admin_wiki.move("hr/old", "hr/new")
    admin_wiki.save("hr-public", "For all.\n")
    answer = admin_wiki.restrict("hr", readers=["bob"], writers=["alice"])
    assert answer.status_code == 200, answer.json()
    return answer.json()


@pytest.fixture(autouse=True)
def _people(alice: User, bob: User) -> None:
    """Make those who are listed."""


def told(answer: Any) -> tuple[int, str]:
    """Return status and body, without what differs between any two requests."""
    text = answer.content.decode()
    text = re.sub(r'"request_id": ?"[^"]*"', "", text)
    return answer.status_code, re.sub(r"hr/\w+|no/\w+", "<slug>", text)


ASKED_BY_SLUG = [
    ("get", "", {}),
    ("get", "/history", {}),
    ("get", "/backlinks", {}),
    ("get", "/restriction", {}),
    ("delete", "", None),
    ("post", "/restore", {"revision": 1}),
    ("post", "/move", {"to": "open/place"}),
    ("put", "/restriction", {"readers": [], "writers": []}),
    ("delete", "/restriction", None),
]
ABOUT_NO_PAGE = {
    ("get", "/tree"),
    ("get", "/tags"),
    ("get", "/recent"),
    ("get", "/links/broken"),
    ("get", "/trash"),
    ("get", "/search"),
    ("get", "/suggest"),
    ("get", "/export"),
    ("post", "/import"),
    ("post", "/trash/{}/restore"),
    ("post", "/distill"),
    ("post", ""),
}


def routes() -> set[tuple[str, str]]:
    """Return method and path of the wiki's API; files and the review have their own."""
    return {
        (verb, "/" + re.sub(r"<[^>]+>", "{}", str(pattern.pattern)))
        for pattern in urlpatterns
        if not pattern.callback.__module__.endswith((".files", ".review"))
        for verb in ("get", "post", "put", "delete")
        if hasattr(pattern.callback.view_class, verb)
    }


def test_no_route_of_the_wiki_is_left_out_of_the_walk() -> None:
    walked = {(verb, path) for verb, path, _ in ASKED_BY_SLUG} | ABOUT_NO_PAGE
    assert routes() == {(verb, f"/memory/wiki{path}") for verb, path in walked}


@pytest.mark.parametrize(("verb", "path", "body"), ASKED_BY_SLUG)
@pytest.mark.parametrize("slug", [SECRET, "hr/new", "hr/old", "HR/Salaries"])
def test_a_hidden_page_is_answered_like_a_missing_one(
    hidden: Any, stranger: Wiki, verb: str, path: str, body: Any, slug: str
) -> None:
    def ask(slug: str) -> tuple[int, str]:
        place = stranger.at(path, slug)
        return told(stranger.api(verb, place, body or None))

    assert ask(slug) == ask("no/page")
    assert ask(slug)[0] in {403, 404}


@pytest.mark.parametrize("slug", ["%2e%2e/etc", "../../x", "a\\b", "-/edit/x", "a b"])
def test_what_is_no_slug_is_answered_like_a_missing_page(wiki: Wiki, slug: str) -> None:
    for verb, path, body in ASKED_BY_SLUG[:6]:
        impossible = wiki.api(verb, wiki.at(path, slug), body or None)
        missing = wiki.api(verb, wiki.at(path, "no/page"), body or None)
        assert told(impossible) == told(missing)


def test_saving_does_not_tell_whether_a_page_is_there(
    hidden: Any, stranger: Wiki
) -> None:
    answers = {
        told(stranger.post(slug, "x", base_revision=base))
        for slug in (SECRET, "hr/new", "hr/nothing")
        for base in (None, 1, 9)
    }
    assert len(answers) == 1
    assert answers.pop()[0] == 403
    onto = {told(stranger.move("home", to)) for to in (SECRET, "hr/nothing")}
    assert len(onto) == 1
    assert stranger.read("home")["slug"] == "home"


def test_no_list_names_what_is_hidden(hidden: Any, stranger: Wiki) -> None:
    lists = [
        stranger.list(verb, **params)
        for verb, params in [
            ("", {}),
            ("", {"under": "hr"}),
            ("", {"tag": "money"}),
            ("/tree", {}),
            ("/tree", {"slug": "hr"}),
            ("/tags", {}),
            ("/recent", {}),
            ("/trash", {}),
            ("/search", {"query": "axolotl salaries", "min_score": 0}),
            ("/suggest", {"query": "secret"}),
            ("/suggest", {"query": "salaries"}),
        ]
    ]
    text = json.dumps(lists)
    assert "Secret" not in text
    assert '"hr/' not in text
    assert "money" not in text
    assert stranger.names() == {"home": 0, "hr-public": 0}
    assert stranger.api.search("axolotl") == []
    missing = stranger.api.get("/memory/get", path=SECRET)
    assert told(missing) == told(stranger.api.get("/memory/get", path="no/page"))


def test_an_export_has_what_one_may_read(
    hidden: Any, stranger: Wiki, alice_api: Api
) -> None:
    def exported(api: Api, **params: str) -> set[str]:
        answer = api.get("/memory/wiki/export", **params)
        packed = io.BytesIO(b"".join(answer.streaming_content))
        return set(zipfile.ZipFile(packed).namelist())

    assert not {name for name in exported(stranger.api) if name.startswith("hr/")}
    assert exported(stranger.api, under="hr") == exported(stranger.api, under="no")
    assert f"{SECRET}.md" in exported(alice_api)


def test_a_link_to_a_hidden_page_looks_like_a_broken_one(
    hidden: Any, stranger: Wiki, bob_api: Api
) -> None:
    html = stranger.read("home", html=True)["html"]
    links = re.findall(r"<a [^>]*>", html)
    assert len(links) == 2
    assert re.sub(SECRET, "nowhere", links[0]) == links[1]
    rows = stranger.list("/links/broken")["results"]
    assert {row["slug"] for row in rows} == {SECRET, "nowhere"}
    listed = Wiki(bob_api)
    assert (
        "missing"
        not in re.findall(r"<a [^>]*>", listed.read("home", html=True)["html"])[0]
    )
    assert [r["slug"] for r in listed.list("/links/broken")["results"]] == ["nowhere"]


def test_the_feed_has_what_one_may_read(hidden: Any, bob: User, alice: User) -> None:
    outsider = make_user("otto")
    seen = feeds.atom(actor_for_user(bob), site="http://x")
    assert "Secret title" in seen
    assert "<id>" in seen
    assert "Secret title" not in feeds.atom(actor_for_user(outsider), site="http://x")


def test_a_feed_escapes_titles(wiki: Wiki, bob: User) -> None:
    wiki.save("a", title="<img src=x onerror=1> & co", summary="<script>1</script>")
    feed = feeds.atom(actor_for_user(bob), site="http://x")
    assert "<img" not in feed
    assert "<script" not in feed


# --- those who are listed ------------------------------------------------------------
def test_readers_read_and_writers_write(
    hidden: Any, alice_api: Api, bob_api: Api
) -> None:
    assert hidden["readers"] == ["bob"]
    assert hidden["writers"] == ["admin", "alice"]
    reads, writes = Wiki(bob_api), Wiki(alice_api)
    assert reads.read(SECRET)["restricted"] == "hr"
    assert reads.read("hr/old")["slug"] == "hr/new"
    assert reads.names("hr") == {"hr/new": 0, SECRET: 0}
    assert bob_api.search("axolotl")[0]["path"] == SECRET
    assert reads.post(SECRET, "x", base_revision=1).status_code == 403
    assert writes.save(SECRET, "Changed.\n", base_revision=1)["revision"] == 2
    assert writes.post("home", "x", base_revision=1).status_code == 403
    assert writes.save("hr/next")["restricted"] == "hr"


def test_sections_are_told_apart_by_whole_segments(hidden: Any, stranger: Wiki) -> None:
    assert stranger.read("hr-public")["restricted"] is None


def test_runs_write_where_nothing_is_restricted(hidden: Any, alice: User) -> None:
    cron = Wiki(api_for(alice, run="cron"))
    assert cron.post(SECRET, "x", base_revision=1).status_code == 403
    assert cron.post("log/today").status_code == 201


def test_an_administrator_who_is_not_listed_reads_nothing(hidden: Any) -> None:
    other = Wiki(api_for(User.objects.create_superuser(username="root2")))
    for answer in (other.get(SECRET), other.lift("hr"), other.restrict(SECRET)):
        assert answer.status_code == 404


def test_everything_lives_in_the_space_of_the_section(
    hidden: Any, admin_wiki: Wiki, run_jobs: Any
) -> None:
    run_jobs()
    space = Space.objects.get(kind="wiki", path="hr")

    def spaces() -> set[int]:
        copies = Memory.objects.filter(source_key__startswith="hr/")
        chunks = Chunk.objects.filter(memory__in=copies)
        vectors = Embedding.objects.filter(chunk__in=chunks)
        pages = Page.objects.filter(slug__startswith="hr/")
        assert pages.count() == copies.count() == 2
        assert chunks.exists()
        assert vectors.exists()
        return {
            found
            for rows in (pages, copies, chunks, vectors)
            for found in rows.values_list("space_id", flat=True)
        }

    assert spaces() == {space.pk}
    assert counted() == counts_of_the_pages()
    assert admin_wiki.lift("hr").status_code == 204
    assert spaces() == {Space.objects.get(kind="wiki", path="").pk}
    assert not Space.objects.filter(path="hr").exists()
    assert counted() == counts_of_the_pages()


def test_a_restricted_section_stays_so_when_it_moves(
    hidden: Any, admin_wiki: Wiki, stranger: Wiki
) -> None:
    deleted = admin_wiki.save("hr/gone", "Was here.\n")["id"]
    admin_wiki.delete("hr/gone")
    assert admin_wiki.move("hr", "people/hr").json()["pages"] == 2
    assert admin_wiki.read("people/hr/salaries")["restricted"] == "people/hr"
    for slug in (SECRET, "people/hr/salaries"):
        assert stranger.get(slug).status_code == 404
    assert admin_wiki.undelete(deleted).json()["restricted"] == "people/hr"
    assert stranger.list("/trash")["results"] == []


def test_moving_a_section_leaves_what_one_cannot_see(
    admin_wiki: Wiki, stranger: Wiki
) -> None:
    for slug in ("ops", "ops/a", "ops/secret/b"):
        admin_wiki.save(slug)
    admin_wiki.restrict("ops/secret")
    assert stranger.move("ops", "team").json()["pages"] == 2
    assert admin_wiki.read("ops/secret/b")["restricted"] == "ops/secret"
    assert stranger.names() == {"team": 1}


def test_a_page_in_and_out_of_a_section_changes_its_readers(
    hidden: Any, admin_wiki: Wiki, stranger: Wiki
) -> None:
    admin_wiki.move("hr/new", "open")
    assert stranger.read("open")["restricted"] is None
    admin_wiki.move("open", "hr/again")
    assert stranger.get("open").status_code == 404
    assert stranger.get("hr/again").status_code == 404


def test_a_section_within_a_section_has_lists_of_its_own(
    hidden: Any, admin_wiki: Wiki, bob_api: Api, alice_api: Api
) -> None:
    admin_wiki.restrict(SECRET, readers=["@wiki editors"])
    assert Wiki(bob_api).get(SECRET).status_code == 404
    assert Wiki(bob_api).read("hr/new")["restricted"] == "hr"
    admin_wiki.lift(SECRET)
    assert Wiki(bob_api).read(SECRET)["restricted"] == "hr"


@pytest.mark.parametrize("names", [["nobody-here"], ["@no group"], ["@"]])
def test_unknown_names_are_refused(admin_wiki: Wiki, names: list[str]) -> None:
    answer = admin_wiki.restrict("hr", readers=names)
    assert answer.status_code == 400
    assert not Space.objects.filter(path="hr").exists()


# --- visitors ------------------------------------------------------------------------
def test_visitors_read_nothing_unless_a_setting_says_so(
    hidden: Any, client: Any, settings: Any
) -> None:
    def status(path: str, slug: str = "home") -> int:
        found = client.get(f"/api/memory/wiki{path}", {"slug": slug} if slug else {})
        code: int = found.status_code
        return code

    assert status("") == 401
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"anonymous_reading": True}
    config.reset()
    assert status("") == status("/history") == status("/backlinks") == 200
    assert status("/tree", "") == status("/tags", "") == status("/recent", "") == 200
    assert status("", SECRET) == 404
    assert status("/trash", "") == 401
    posted = client.post("/api/memory/wiki?slug=x", {"body": "x"}, "application/json")
    assert posted.status_code == 401
    found = client.post("/api/memory/search", {"query": "all"}, "application/json")
    assert found.status_code == 401
