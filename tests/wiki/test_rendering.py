"""Markdown as people and language models write it becomes the HTML they mean."""

import re
import time
from html import unescape

import pytest

from wiki.rendering import present, render


def html(text: str, slug: str = "ops/plan") -> str:
    """Return the HTML on one line, without blanks between elements."""
    rendered = render(text, slug=slug)
    assert not rendered.failed
    return re.sub(r">\s+<", "><", rendered.html)


# --- blocks --------------------------------------------------------------------------
def test_lists_nest_by_two_spaces() -> None:
    assert html("- a\n  - b\n    - c\n  - d\n- e") == (
        "<ul><li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li></ul>"
    )


def test_lists_nest_by_four_spaces_and_by_tabs() -> None:
    nested = "<ul><li>a<ul><li>b</li></ul></li></ul>"

    assert html("- a\n    - b") == nested
    assert html("- a\n\t- b") == nested
    assert html("* a\n   * b") == nested


def test_lists_of_both_kinds_nest() -> None:
    assert html("1. a\n   - b\n     1. c\n2. d") == (
        "<ol><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ol>"
    )


def test_a_list_follows_a_paragraph_without_a_blank_line() -> None:
    assert html("Steps:\n- a\n- b") == "<p>Steps:</p><ul><li>a</li><li>b</li></ul>"
    assert html("Steps:\n1. a\n2. b") == "<p>Steps:</p><ol><li>a</li><li>b</li></ol>"


def test_a_year_at_the_start_of_a_line_is_no_list() -> None:
    assert "<ol" not in html("It was in\n2019. A good year.")


def test_code_stands_inside_of_list_items() -> None:
    assert html("1. a\n   ```x\n   ls -l\n     y\n   ```\n2. b") == (
        '<ol><li><p>a</p><pre><code class="language-x">ls -l\n  y</code></pre></li>'
        "<li><p>b</p></li></ol>"
    )


def test_a_list_goes_on_counting_after_a_fence_at_the_margin() -> None:
    assert '<ol start="2">' in html("1. a\n```\nx\n```\n2. b")


def test_paragraphs_and_lists_in_items() -> None:
    assert html("- a\n\n  more\n\n  - b\n- c") == (
        "<ul><li><p>a</p><p>more</p><ul><li>b</li></ul></li><li><p>c</p></li></ul>"
    )


def test_code_in_quotes_and_lists_in_quotes() -> None:
    assert html("> a\n> ```\n> x\n> ```\n> - b\n>   - c") == (
        "<blockquote><p>a</p><pre><code>x</code></pre>"
        "<ul><li>b<ul><li>c</li></ul></li></ul></blockquote>"
    )


def test_a_fence_that_is_never_closed_loses_nothing() -> None:
    assert html("```\nall\n\nof it") == "<pre><code>all\n\nof it</code></pre>"


def test_the_longer_fence_holds_the_shorter() -> None:
    assert html("````\n```\nx\n```\n````") == "<pre><code>```\nx\n```</code></pre>"


def test_cells_end_at_every_pipe_as_on_github() -> None:
    table = "| a | b |\n|---|---|\n| `x|y` | z |\n"
    assert "<td>`x</td><td>y`</td>" in html(table)
    escaped = table.replace("x|y", "x\\|y")
    assert "<td><code>x|y</code></td><td>z</td>" in html(escaped)


def test_wiki_links_with_labels_stand_in_tables() -> None:
    row = html("| a | b |\n|---|---|\n| [[x|label]] | [[y\\|other]] |")

    assert ">label</a></td>" in row
    assert ">other</a></td>" in row


def test_columns_are_aligned_without_style() -> None:
    row = html("a|b|c\n:--|:-:|--:\n1|2|3")

    assert '<td align="left">1</td><td align="center">2</td>' in row
    assert "style" not in row


def test_task_lists_have_boxes_nobody_can_click() -> None:
    rendered = html("- [ ] a\n- [x] b\n\n[ ] c")

    assert rendered.count("<input") == 2
    assert rendered.count("disabled") == 2
    assert rendered.count("checked") == 1


def test_admonitions_in_both_spellings() -> None:
    ours = html('!!! warning "Beware"\n    - a\n      - b')
    assert '<div class="admonition warning"><p class="admonition-title">Beware' in ours
    assert "<li>a<ul><li>b</li></ul></li>" in ours
    assert '<div class="admonition tip">' in html("> [!TIP]\n> Do this.")


def test_definition_lists() -> None:
    assert html("Term\n:   Meaning") == "<dl><dt>Term</dt><dd>Meaning</dd></dl>"


def test_footnotes_used_twice_have_one_item_and_two_ways_back() -> None:
    rendered = html("a[^n] b[^n]\n\n[^n]: Note.")

    uses = re.findall(r'<sup id="([^"]+)">', rendered)
    (item,) = re.findall(r'<li id="([^"]+)">', rendered)
    backs = re.findall(r'class="footnote-backref" href="#([^"]+)"', rendered)
    assert len(set(uses)) == 2
    assert backs == uses
    assert rendered.count(f'href="#{item}"') == 2


def test_two_texts_on_one_screen_share_no_ids() -> None:
    rendered = render("# A\n\nx[^1] [y](#a)\n\n[^1]: Note", slug="a").html

    first = present(rendered, existing=[])
    second = present(rendered, existing=[], fragment="before-")
    assert first == rendered
    ids = set(re.findall(r'id="([^"]+)"', first))
    others = set(re.findall(r'id="([^"]+)"', second))
    assert others == {f"before-{name}" for name in ids}
    targets = set(re.findall(r'href="#([^"]+)"', second))
    assert targets <= others


def test_text_that_looks_like_an_id_is_left_alone_by_prefixes() -> None:
    rendered = render('say id="h-x" and href="#h-x"', slug="a").html

    assert present(rendered, existing=[], fragment="p-") == rendered


def test_comments_vanish_and_code_that_shows_them_stays() -> None:
    assert html("a <!-- b --> c\n\n<!--\nd\n-->\ne") == "<p>a  c</p><p>e</p>"
    assert "&lt;!-- b --&gt;" in html("`<!-- b -->`")
    assert "open" in html("<!-- open")


def test_details_hold_markdown() -> None:
    assert html("<details>\n<summary>S</summary>\n\n- **a**\n\n</details>") == (
        "<details><summary>S</summary><ul><li><strong>a</strong></li></ul></details>"
    )


@pytest.mark.parametrize(
    "language", ["console", "pycon", "http", "diff", "yaml", "python", "html", "perl"]
)
@pytest.mark.parametrize("code", ["$ ls\n<a> & b", "x\n\n$ y\n\n", "<"])
def test_colours_change_no_character_of_code(language: str, code: str) -> None:
    plain = render(f"```{language}\n{code}\n```", slug="a").html
    rendered = re.sub(r"</?span[^>]*>", "", plain)
    assert unescape(rendered) == (
        f'<pre><code class="language-{language}">{code}</code></pre>'
    )


def test_code_is_coloured_on_the_server() -> None:
    rendered = html('```python\ndef f():\n    return "<x>"\n```')

    assert '<span class="k">def</span>' in rendered
    assert "&lt;x&gt;" in rendered
    assert html("```nosuchlanguage\n<x>\n```") == (
        '<pre><code class="language-nosuchlanguage">&lt;x&gt;</code></pre>'
    )


# --- lines ---------------------------------------------------------------------------
def test_bare_addresses_are_links_without_the_end_of_the_sentence() -> None:
    rendered = html("See https://e.org/a_b_c?x=1&y=2, or (http://e.org/S_(b)).")

    assert 'href="https://e.org/a_b_c?x=1&amp;y=2"' in rendered
    assert 'href="http://e.org/S_(b)"' in rendered
    assert "<a" not in html("`https://e.org`")


def test_parentheses_in_addresses_are_balanced() -> None:
    assert 'href="https://e.org/S_(b)#c"' in html("[a](https://e.org/S_(b)#c)")


def test_entities_and_signs_come_out_as_meant() -> None:
    assert html("&lt;b&gt; &amp;lt; AT&T 1 < 2 &copy;") == (
        "<p>&lt;b&gt; &amp;lt; AT&amp;T 1 &lt; 2 &copy;</p>"
    )


def test_struck_out_text() -> None:
    assert html("~~a~~ ~b~ a~~b") == "<p><del>a</del> ~b~ a~~b</p>"


# --- headings ------------------------------------------------------------------------
def test_headings_of_every_script_have_ids_of_their_own() -> None:
    text = "# 我是猫\n## Über uns!\n## Über uns\n## 🚀\n## 🚀\n## uber-uns-2"
    rendered = render(text, slug="a")

    ids = [entry.id for entry in rendered.toc]
    assert ids[:4] == ["h-我是猫", "h-über-uns", "h-über-uns-2", "h-section"]
    assert len(set(ids)) == 6
    assert [entry.level for entry in rendered.toc] == [1, 2, 2, 2, 2, 2]
    for name in ids:
        assert f'id="{name}"' in rendered.html


def test_composed_and_decomposed_headings_have_the_same_id() -> None:
    one, other = (render(f"# caf{e}", slug="a").toc[0].id for e in ("é", "e\u0301"))

    assert one == other == "h-café"


def test_links_name_headings_as_they_are_written() -> None:
    rendered = html("# Some Head\n[x](#some-head) [[#Some Head]] [[y#Some Head]]")

    assert rendered.count('href="#h-some-head"') == 2
    assert 'href="/wiki/y#h-some-head"' in rendered


# --- as a whole ----------------------------------------------------------------------
def test_the_plain_text_is_what_a_reader_sees() -> None:
    rendered = render("# A **b**\n\nc `d` [e](https://x.org)\n\n- f\n- g", slug="a")

    assert rendered.text.split() == ["A", "b", "c", "d", "e", "f", "g"]


@pytest.mark.parametrize("text", ["", "\n", " ", "\ufeff", "\x00", "\r\n\r\n"])
def test_empty_texts_render_to_nothing(text: str) -> None:
    assert render(text, slug="a").failed == ""


def test_line_ends_of_every_kind_are_the_same() -> None:
    assert html("# A\r\n\r\n- b\r\n  - c\r") == html("# A\n\n- b\n  - c\n")


def test_a_long_ordinary_page_is_quick() -> None:
    part = (
        "## Section {n}\n\n" + "It says what is to be done, and by whom. " * 8 + "Some"
        " *plain* words with `code`, a [link](https://e.org/{n})"
        " and a [[page-{n}]].\n\n- one\n  - two\n- three\n\n| a | b |\n|---|---|\n"
        "| {n} | x |\n\n```python\ndef f{n}(x):\n    return x + {n}\n```\n\n"
    )
    text = "".join(part.replace("{n}", str(n)) for n in range(220))
    assert 100_000 < len(text) < 130_000
    render("warm", slug="a")

    began = time.monotonic()
    rendered = render(text, slug="a")

    assert rendered.failed == ""
    assert len(rendered.toc) == 220
    assert time.monotonic() - began < 3
