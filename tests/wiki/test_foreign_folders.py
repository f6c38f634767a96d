"""Folders of Markdown that other programs wrote become pages that hang together."""

from typing import Any

import pytest

from goclaw.lib import config
from tests.wiki.calls import Wiki
from tests.wiki.files import body_of, fetch, png
from tests.wiki.zips import bring, zip_of
from wiki.importing.foreign import with_links

pytestmark = pytest.mark.django_db


def test_links_of_other_programs_are_rewritten_outside_of_code(wiki: Wiki) -> None:
    body = (
        "[a](my page) [b](<my page>) [c](other.md) [d](sub/x y.md#h)"
        ' [e](https://e.org/r.md) [f](g "title") `[h](my page)`\n'
        "```\n[i](my page)\n```\n"
    )
    bring(wiki.api, zip_of(("notes.md", body)))

    assert wiki.read("notes")["body"] == (
        "[a](<my page>) [b](<my page>) [c](other) [d](<sub/x y#h>)"
        ' [e](https://e.org/r.md) [f](g "title") `[h](my page)`\n'
        "```\n[i](my page)\n```\n"
    )


def test_titles_tags_and_slugs_of_other_programs(wiki: Wiki) -> None:
    bring(
        wiki.api,
        zip_of(
            (
                "My Notes/Über uns.md",
                "---\ntitle: About us\ntags: [Big, 'b c']\n---\nx",
            ),
            ("list.md", "---\nauthor: me\ntags:\n- one\n- two\n---\nx"),
            ("heading.md", "# From the heading\n"),
        ),
    )

    about = wiki.read("my-notes/über-uns")
    assert (about["title"], about["tags"]) == ("About us", ["b-c", "big"])
    assert wiki.read("list")["tags"] == ["one", "two"]
    assert wiki.read("heading")["title"] == "From the heading"


def test_long_runs_of_backticks_take_no_time() -> None:
    line = " ".join("`" * n for n in range(1, 400)) + " [a](b c)"

    assert with_links(line, lambda target: None)


# --- links between the files ----------------------------------------------------------
@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("[a](sub/Second%20Page.md)", "[a](/wiki/docs/sub/second-page)"),
        ("[a](sub/Second Page.md#The-End)", "[a](/wiki/docs/sub/second-page#The-End)"),
        ("[a](<sub/Second Page.md> 'T')", "[a](</wiki/docs/sub/second-page> 'T')"),
        ('[a](../top.md "T")', '[a](/wiki/top "T")'),
        ("[a](/top.md)", "[a](/wiki/top)"),
        ("[a](./sub/)", "[a](/wiki/docs/sub)"),
        ("[a](sub/README.md)", "[a](/wiki/docs/sub)"),
        ("[a](../top)", "[a](/wiki/top)"),
        ("[a](../top.html?raw=1)", "[a](/wiki/top)"),
        ("[x]: ../top.md 'T'", "[x]: /wiki/top 'T'"),
        ('<a href="../top.md">t</a>', '<a href="/wiki/top">t</a>'),
        ("- one\n\n    [a](../top.md)", "- one\n\n    [a](/wiki/top)"),
        ("!!! note\n    [a](../top.md)", "!!! note\n    [a](/wiki/top)"),
        ("[a](#here)", "[a](#here)"),
        ("[a](mailto:a@b.c)", "[a](mailto:a@b.c)"),
        ("[a](https://e.org/top.md)", "[a](https://e.org/top.md)"),
        ("[a](../../out.md)", "[a](../../out)"),
        (
            "[a](../../../wiki/docs/sub/../../top.md)",
            "[a](../../../wiki/docs/sub/../../top)",
        ),
        ("`[a](../top.md)`", "`[a](../top.md)`"),
        ("    [a](../top.md)", "    [a](../top.md)"),
        ("```\n[a](../top.md)\n```", "```\n[a](../top.md)\n```"),
        ("[^1]: see [a](../top.md)", "[^1]: see [a](/wiki/top)"),
    ],
)
def test_links_between_files_lead_to_the_pages(
    wiki: Wiki, written: str, becomes: str
) -> None:
    bring(
        wiki.api,
        zip_of(
            ("docs/first.md", written),
            ("docs/sub/Second Page.md", "x"),
            ("docs/sub/README.md", "x"),
            ("top.md", "x"),
        ),
    )
    assert wiki.read("docs/first")["body"] == becomes


def test_the_readme_of_a_folder_is_the_page_of_the_folder(wiki: Wiki) -> None:
    results = bring(
        wiki.api,
        zip_of(
            ("README.md", "top"),
            ("guide/README.md", "second"),
            ("guide/index.md", "first"),
            ("api/readme.md", "not of the folder"),
            ("api.md", "of the folder"),
        ),
    )
    assert {path: slug for path, (_, slug) in results.items()} == {
        "README.md": "readme",
        "guide/README.md": "guide/readme",
        "guide/index.md": "guide",
        "api/readme.md": "api/readme",
        "api.md": "api",
    }


def test_below_a_section_the_first_readme_is_the_page_of_the_section(
    wiki: Wiki,
) -> None:
    results = bring(
        wiki.api, zip_of(("README.md", "[a](a.md)"), ("a.md", "")), under="x"
    )
    assert [slug for _, slug in results.values()] == ["x", "x/a"]
    assert wiki.read("x")["body"] == "[a](/wiki/x/a)"


# --- pictures and other files ---------------------------------------------------------
@pytest.fixture
def pictured() -> bytes:
    return zip_of(
        ("img/logo.png", png(4, 2)),
        ("docs/a.md", "![Logo](../img/logo.png) <img src='../img/logo.png' width='9'>"),
        ("docs/b.md", "[![Logo](../img/logo.png)](a.md) [data](data.csv)"),
        ("docs/data.csv", "1,2\n"),
        ("img/unseen.png", png()),
    )


def test_pictures_come_along_with_the_first_page_that_shows_them(
    wiki: Wiki, pictured: bytes
) -> None:
    results = bring(wiki.api, pictured)

    assert results["img/logo.png"] == ("created", "docs/a")
    assert results["docs/data.csv"] == ("created", "docs/b")
    assert results["img/unseen.png"] == ("skipped", "")
    (logo,) = wiki.list("/attachments", slug="docs/a")["results"]
    (data,) = wiki.list("/attachments", slug="docs/b")["results"]
    assert (logo["name"], data["name"]) == ("logo.png", "data.csv")
    url = logo["url"]
    assert wiki.read("docs/a")["body"] == f"![Logo]({url}) <img src='{url}' width='9'>"
    assert wiki.read("docs/b")["body"] == (
        f"[![Logo]({url})](/wiki/docs/a) [data]({data['url']})"
    )
    assert body_of(fetch(wiki.api, url)) == png(4, 2)
    assert url in wiki.read("docs/a", html="true")["html"]


def test_a_second_time_changes_nothing_and_another_place_has_its_own(
    wiki: Wiki, pictured: bytes
) -> None:
    bring(wiki.api, pictured)

    again = bring(wiki.api, pictured)
    assert {result for result, _ in again.values()} == {"unchanged", "skipped"}
    elsewhere = bring(wiki.api, pictured, under="copy")
    assert elsewhere["img/logo.png"] == ("created", "copy/docs/a")
    (first,) = wiki.list("/attachments", slug="docs/a")["results"]
    (second,) = wiki.list("/attachments", slug="copy/docs/a")["results"]
    assert first["id"] != second["id"]


def test_who_reads_a_page_sees_its_pictures(
    wiki: Wiki, admin_wiki: Wiki, reader: Wiki
) -> None:
    """A picture that a restricted page shows first comes once more for the others."""
    admin_wiki.restrict("a", readers=[], writers=["erin"])
    text = "![Logo](../logo.png)"
    bring(
        wiki.api,
        zip_of(("a/x.md", text), ("b/x.md", text), ("logo.png", png())),
    )
    (logo,) = reader.list("/attachments", slug="b/x")["results"]
    assert reader.read("b/x")["body"] == f"![Logo]({logo['url']})"


def test_a_file_over_the_limit_is_refused_and_its_link_stays(
    wiki: Wiki, settings: Any
) -> None:
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"max_file_bytes": 1000}
    config.reset()
    data = zip_of(("a.md", "[big](big.bin)"), ("big.bin", b"x" * 1001))

    assert bring(wiki.api, data)["big.bin"] == ("skipped", "")
    assert wiki.read("a")["body"] == "[big](big.bin)"
