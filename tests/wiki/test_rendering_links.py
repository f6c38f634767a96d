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


# --- places within a page -------------------------------------------------------------
@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("### .header(key, value)", "headerkey-value"),
        ("### Error handling in Node.js", "error-handling-in-nodejs"),
        ("### `FST_ERR_NOT_FOUND`", "fst_err_not_found"),
        ("### What's new?", "whats-new"),
        ('### Factory <a id="factory-here"></a>', "factory-here"),
        ('<a name="Old.Name"></a>\n\n### New name', "Old.Name"),
    ],
)
def test_links_to_places_as_other_programs_name_them_lead_there(
    heading: str, named: str
) -> None:
    html = render(f"[to](#{named})\n\n{heading}\n", slug="a").html
    target = re.search(r'href="#([^"]*)"', html)
    assert target
    assert html.count(f'id="{target[1]}"') == 1


def test_places_that_a_text_names_have_ids_of_their_own() -> None:
    html = render('<a id="x"></a><a id="x"></a><a id=""></a>\n\n# X\n', slug="a").html
    assert re.findall(r'id="([^"]*)"', html) == ["h-x", "h-x-2"]
    shown = present(html, existing=(), fragment="p-")
    assert re.findall(r'id="([^"]*)"', shown) == ["p-h-x", "p-h-x-2"]
