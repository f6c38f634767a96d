"""Somebody else's page is a missing page: the same answer at every door."""

import io
import json
import re
import zipfile
from typing import Any

import pytest

from accounts.actors import actor_for_user
from accounts.models import User
from goclaw.lib import config
from tests.people import Api, make_user
from tests.wiki.calls import Wiki
from tests.wiki.conftest import SECRET
from wiki import feeds
from wiki.api.urls import urlpatterns

pytestmark = pytest.mark.django_db


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
