"""Links between pages: what they lead to, and to whom they look as if they do."""

import re

import pytest

from wiki.rendering import extract_links, linked_slugs, present, render


def test_wiki_links_lead_to_slugs_and_titles_to_theirs() -> None:
    rendered = render("[[Ops/Plan]] [[My Page|label]] [[caf\u0065\u0301]]", slug="a")

    assert rendered.links == ("ops/plan", "my-page", "café")
    assert '<a href="/wiki/my-page" class="wikilink" data-slug="my-page">label' in (
        rendered.html
    )


def test_what_can_be_no_slug_stays_text() -> None:
    for target in ("..", "-", "wikijs/x", "!!!", "a//b"):
        rendered = render(f"[[{target}]]", slug="a")
        assert rendered.links == ()
        assert target in rendered.text


def test_links_in_code_are_none() -> None:
    text = "`[[a]]` ``[[b]] ` `` [[c]] \\[[d]]\n\n```\n[[e]]\n```\n\n    [[f]]\n"

    assert render(text, slug="x").links == ("c",)


@pytest.mark.parametrize(
    ("link", "slug"),
    [
        ("other", "ops/other"),
        ("../home", "home"),
        ("/wiki/a/b", "a/b"),
        ("/wiki/a/b?x=1#c", "a/b"),
        ("plan/sub", "ops/plan/sub"),
        ("/wiki/-/recent", None),
        ("/admin/", None),
        ("/media/x", None),
    ],
)
def test_ordinary_links_to_pages_count_as_well(link: str, slug: str | None) -> None:
    rendered = render(f"[x]({link})", slug="ops/plan")

    assert rendered.links == ((slug,) if slug else ())
    assert "<a " in rendered.html


def test_links_to_what_one_may_not_see_look_like_missing_ones() -> None:
    rendered = render("[[there]] [[hidden]] [[nowhere]]", slug="a").html

    shown = present(rendered, existing={"there"})
    tags = re.findall(r"<a [^>]*>", shown)
    assert linked_slugs(rendered) == {"there", "hidden", "nowhere"}
    assert "missing" not in tags[0]
    assert tags[1].replace("hidden", "nowhere") == tags[2]
    assert 'class="wikilink missing"' in tags[1]


def test_text_that_looks_like_a_marked_link_is_left_alone() -> None:
    rendered = render('`<a href="/wiki/x" class="wikilink" data-slug="x">`', slug="a")

    assert present(rendered.html, existing=[]) == rendered.html
    assert linked_slugs(rendered.html) == frozenset()


def test_links_are_found_without_rendering_for_texts_that_fail() -> None:
    text = "[[a]] `[[b]]` [[c|d]]\n~~~\n[[e]]\n~~~\n[[A]] ``x ` [[f]]``"

    assert extract_links(text) == ["a", "c"]
