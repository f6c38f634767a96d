"""Saving and reading pages, as agents and programs do it."""

from typing import Any

import pytest

from accounts.models import User
from memory.models import Memory, MemoryTag
from tests.people import Api, api_for
from tests.wiki.calls import Wiki
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db


def test_a_page_is_saved_and_read(wiki: Wiki, reader: Wiki) -> None:
    saved = wiki.post("ops/failover", "# Failover\n\nPromote the replica.\n")
    assert saved.status_code == 201
    page = reader.read("ops/failover", html=True)
    assert page["title"] == "Failover"
    assert page["body"] == "# Failover\n\nPromote the replica.\n"
    assert page["revision"] == 1
    assert page["updated_by"] == "erin"
    assert "Promote the replica." in page["html"]
    assert page["toc"][0]["title"] == "Failover"
    assert saved.headers["ETag"] == '"1"'


def test_a_page_without_a_heading_is_named_after_its_slug(wiki: Wiki) -> None:
    assert wiki.save("ops/on-call_rota", "Text.")["title"] == "On call rota"


def test_saving_again_makes_a_revision_and_keeps_what_is_left_out(wiki: Wiki) -> None:
    wiki.save("a", "One.\n", title="First", tags=["x", "b"])
    page = wiki.save("a", "Two.\n", base_revision=1, summary="Better.")
    assert (page["title"], page["tags"], page["revision"]) == ("First", ["b", "x"], 2)
    newest = Revision.objects.get(page__slug="a", number=2)
    assert newest.base.number == 1
    assert newest.summary == "Better."


def test_saving_the_same_again_makes_no_revision(wiki: Wiki) -> None:
    wiki.save("a", "One.\n", title="T", tags=["x"])
    for base in (None, 1):
        again = wiki.post("a", "One.\n", title="T", tags=["x"], base_revision=base)
        assert again.status_code == 200
        assert again.json()["changed"] is False
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        "    indented\n",
        "no newline at the end",
        "two at the end\n\n",
        "  \n\n text \t\n",
        "",
        "e\u0301 is not \u00e9; a joiner\u200d stays; a lone \r too\n",
    ],
)
def test_text_goes_through_untouched(wiki: Wiki, body: str) -> None:
    wiki.save("a", body, title="T")
    assert wiki.read("a")["body"] == body


def test_browsers_line_ends_become_lf_and_are_no_change(wiki: Wiki) -> None:
    wiki.save("a", "one\ntwo\n")
    saved = wiki.save("a", "one\r\ntwo\r\n", base_revision=1)
    assert saved["changed"] is False
    assert saved["body"] == "one\ntwo\n"


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"body": "a\0b"}, "nul_character", "body"),
        ({"body": "x" * (1024 * 1024 + 1)}, "content_too_large", "body"),
        ({"title": "a\nb"}, "invalid", "title"),
        ({"title": " "}, "invalid", "title"),
        ({"title": "x" * 301}, "invalid", "title"),
        ({"summary": "a\x1bb"}, "invalid", "summary"),
        ({"tags": ["Not A Tag"]}, "invalid", "tags"),
        ({"base_revision": 7}, "page_gone", "slug"),
        ({"author": "me"}, "unknown_field", "author"),
    ],
)
def test_what_cannot_be_saved_is_refused_by_name(
    wiki: Wiki, fields: dict[str, Any], code: str, field: str
) -> None:
    answer = wiki.post("a", **({"body": "Text.", "title": "T"} | fields))
    assert 400 <= answer.status_code < 500
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert not Page.objects.exists()


def test_a_page_longer_than_the_renderer_takes_is_still_saved(wiki: Wiki) -> None:
    body = "word " * 130_000
    wiki.save("long", body)
    page = wiki.read("long", html=True)
    assert page["body"] == body
    assert page["render_failed"] == "too_large"


# --- who may -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("run", "status"),
    [("chat", 403), ("sop", 201), ("cron", 201), ("webhook", 403)],
)
def test_of_those_who_are_no_editors_only_sop_and_cron_save(
    alice: User, run: str, status: int
) -> None:
    assert Wiki(api_for(alice, run=run)).post("a").status_code == status


def test_administrators_edit_but_not_in_a_webhook(admin: User) -> None:
    assert Wiki(api_for(admin)).post("a").status_code == 201
    assert Wiki(api_for(admin, run="webhook")).post("b").status_code == 403


def test_readers_may_not_change_anything(wiki: Wiki, reader: Wiki) -> None:
    wiki.save("a")
    wiki.save("a", "Two.", base_revision=1)
    for answer in (
        reader.post("a", "Mine.", base_revision=2),
        reader.post("new"),
        reader.delete("a"),
        reader.move("a", "b"),
        reader.restore("a", 1),
        reader.restrict("a"),
    ):
        assert answer.status_code == 403
        assert answer.json()["error"]["remedy"]
    assert wiki.read("a")["revision"] == 2


def test_provenance_is_written_by_the_server(erin: User) -> None:
    cron = Wiki(api_for(erin, run="cron"))
    cron.save("a")
    revision = Revision.objects.get()
    assert (revision.origin, revision.run_kind) == ("agent", "cron")
    assert revision.author == erin
    assert revision.key is not None


# --- the searchable copy -----------------------------------------------------------
def test_a_page_is_found_at_once_and_cited_by_its_slug(
    wiki: Wiki, bob_api: Api
) -> None:
    wiki.save("ops/failover", "Promote the zebrafish replica.\n", tags=["db"])
    (hit,) = bob_api.search("zebrafish", scopes=["wiki"], tags=["db"])
    assert hit["path"] == "ops/failover"
    assert hit["scope"] == "wiki"
    assert hit["citation"] == "ops/failover#L1"
    found = wiki.list("/search", query="zebrafish", min_score=0, under="ops")
    assert [row["path"] for row in found["results"]] == ["ops/failover"]
    assert wiki.list("/search", query="zebrafish", under="op")["results"] == []


def test_the_copy_follows_the_page(wiki: Wiki, bob_api: Api) -> None:
    wiki.save("a", "aardvark\n", tags=["old"])
    wiki.save("a", "badger\n", base_revision=1, tags=["new"])
    assert bob_api.search("aardvark") == []
    assert bob_api.search("badger")[0]["tags"] == ["new"]
    wiki.move("a", "b/c")
    assert bob_api.search("badger")[0]["path"] == "b/c"
    wiki.delete("b/c")
    assert bob_api.search("badger") == []
    assert not Memory.objects.filter(scope="wiki").exists()
    assert not MemoryTag.objects.exists()


def test_the_text_behind_a_citation_is_read_by_its_path(
    wiki: Wiki, bob_api: Api
) -> None:
    wiki.save("ops/failover", "one\ntwo\nthree\n")
    part = {"path": "ops/failover#L2", "from": 2, "lines": 1}
    answer = bob_api.get("/memory/get", **part)
    assert answer.json()["text"] == "two"
    assert answer.json()["path"] == "ops/failover"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("\n## Second level first\n\n# Top\n", "Second level first"),
        ("Intro.\n\n## Examples\n\n# The top\n", "The top"),
        ("> Note.\n\n## Examples\n\nText.\n", "Ban types"),
        ("Run:\n\n```sh\n# not a heading\n```\n", "Ban types"),
        ("# `@scope/tool` and [**docs**](x.md)\n", "@scope/tool and docs"),
        ("# __init__.py #\n", "__init__.py"),
    ],
)
def test_a_page_is_named_after_its_heading_where_that_names_it(
    wiki: Wiki, body: str, title: str
) -> None:
    assert wiki.save("rules/ban-types", body)["title"] == title
