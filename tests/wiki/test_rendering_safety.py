"""Whatever a page says, nothing of it runs, loads, or looks like a part of ours."""

from typing import Any

import pytest
from bleach._vendor import html5lib
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goclaw.lib import config
from tests.wiki.html_check import faults
from wiki.rendering import present, render
from wiki.rendering.cleaning import Page, clean
from wiki.rendering.markup import to_html

LINKS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\x01javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "java&#10;script:alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "javascript&#58;alert(1)",
    "javascript&#x3a;alert(1)",
    "javascript&#0000058alert(1)",
    "javascript&colon;alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A&#x61vascript:alert(1)",
    "java\u200bscript:alert(1)",
    "\u00a0javascript:alert(1)",
    "java\\script:alert(1)",
    "javascript%3Aalert(1)",
    "vbscript:x",
    "data:text/html;base64,PGI+",
    "data:image/svg+xml,<svg onload=1>",
    "data:image/png;base64,iVBORw0KGgo=",
    "file:///etc/passwd",
    "blob:https://e.org/1",
    "view-source:javascript:1",
    "feed:javascript:alert(1)",
    "//e.org/x",
    "/\\e.org/x",
    "\\\\e.org\\x",
    "https:e.org",
    "https://",
    "http://[::1",
    "mailto:a@b.c?subject=<script>",
    '"onmouseover="alert(1)',
    "x' onmouseover='alert(1)",
    "`javascript:alert(1)`",
    "<javascript:alert(1)>",
]
LINK_FORMS = [
    "[x]({})",
    "[x](<{}>)",
    "![x]({})",
    "<{}>",
    "[x][r]\n\n[r]: {}",
    "![x][r]\n\n[r]: {}",
    '<a href="{}">x</a>',
    "<a href='{}'>x</a>",
    "<a href={}>x</a>",
    '<img src="{}">',
    "[![x]({0})]({0})",
    "[[{}]]",
    "[[a|{}]]",
    '[x](https://e.org "{}")',
]

RAW = [
    "<script>alert(1)</script>",
    "<script\n>alert(1)</script\n>",
    "<scr<script>ipt>alert(1)</script>",
    "<script/x>alert(1)//",
    "<script",
    "<img src=x onerror=alert(1)>",
    '<img src="x" onerror="alert(1)"',
    '<img """><script>alert(1)</script>">',
    "<img/src=x/onerror=alert(1)>",
    "<a href=x onclick=alert(1)>x</a>",
    "<p onmouseover=alert(1)>x</p>",
    "<b onclick=1>T</b>",
    "<math><mtext><table><mglyph><style><img src=x onerror=1>",
    "<svg><style><img src=x onerror=1></style></svg>",
    '<noscript><p title="</noscript><img src=x onerror=1>">',
    "<svg><a><set attributeName=href to=javascript:alert(1)></set><text>q</text></a>",
    "<svg/onload=alert(1)>",
    "<template><img src=x onerror=1></template>",
    "<!--><img src=x onerror=1>-->",
    "<!-- x --!><img src=x onerror=1>",
    "<![CDATA[<img src=x onerror=1>]]>",
    "<?php echo 1 ?>",
    "<!DOCTYPE html>",
    '<meta http-equiv=refresh content="0;url=//e">',
    "<form action=//e><input name=csrfmiddlewaretoken><button>x</button></form>",
    "<input type=text autofocus onfocus=alert(1)>",
    "<iframe src=//e srcdoc='<script>1</script>'></iframe>",
    "<object data=//e></object><embed src=//e>",
    "<base href=//e>",
    "<link rel=stylesheet href=//e>",
    '<p style="position:fixed;inset:0">x</p>',
    "<style>*{display:none}</style>",
    "<div id=content class='topbar modal'>x</div>",
    '<a id="__proto__" name="location">x</a>',
    "<details ontoggle=alert(1) open>x</details>",
    "<video src=x onerror=alert(1)><source onerror=1></video>",
    "<xmp><p title='</xmp><img src=x onerror=1>'>",
    "<title><img src=x onerror=1></title>",
    "<select><script>alert(1)</script></select>",
    "<table><td><svg/onload=1></table>",
    '<td align="x" background="javascript:1">y</td>',
    "<custom-element onclick=1>x</custom-element>",
    "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
    "<li class=task><input onfocus=1>",
    '<a class="wikilink" data-slug="x" href="javascript:1">x</a>',
    '<li id="fn:1" onclick=1>x</li>',
    '<sup id="fnref:1"><a href="#fn:1" onclick=1>1</a></sup>',
    "\x02wzxhzdk:0\x03 \x02klzzwxh:0000\x03 <b>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
]
RAW_FORMS = [
    "{}",
    "para {} para",
    "# {}\n",
    "- {}\n",
    "> {}\n",
    "| {} | b |\n|---|---|\n| {} | d |",
    "```\n{}\n```",
    "    {}",
    "`{}`",
    "**{}**",
    "[{}](x)",
    "![{}](x)",
    "x[^1]\n\n[^1]: {}",
    "Term\n:   {}",
    '!!! note "{}"\n    {}',
    "[[a|{}]]",
    "[[{}]]",
    "<div>\n\n{}\n\n</div>",
]
FENCES = [
    '{ .">q}',
    'x"><img src=x onerror=1>',
    "python' onclick='1",
    'python {onclick="1"}',
    "<script>",
    "a" * 33,
    "py\u200bthon",
    "language-x y",
]


def checked(text: str) -> str:
    """Render a text, in this process for speed, and check what came out."""
    page = Page(base="/wiki/a/b", remote_images=False)
    html = clean(to_html(text), page)
    assert faults(html) == [], html
    shown = present(html, existing=[], fragment="preview-")
    assert faults(shown.replace('="preview-', '="').replace("#preview-", "#")) == []
    return html


@pytest.mark.parametrize(
    "html",
    [
        "<script>1</script>",
        "<p onclick=x>",
        "<p style=x>",
        "<a href='java&#10;script:x'>x</a>",
        "<img src=//e>",
        "<p id=content>",
        "<!-- x -->",
        "<input name=x>",
    ],
)
def test_the_check_itself_sees_what_is_bad(html: str) -> None:
    assert faults(html) != []


@pytest.mark.parametrize("form", LINK_FORMS)
def test_links_keep_to_their_schemes(form: str) -> None:
    for link in LINKS:
        checked(form.format(link))


@pytest.mark.parametrize("form", RAW_FORMS)
def test_raw_html_keeps_to_the_list(form: str) -> None:
    for raw in RAW:
        checked(form.replace("{}", raw))


@pytest.mark.parametrize("info", FENCES)
def test_the_language_of_a_fence_is_a_plain_name_or_none(info: str) -> None:
    html = checked(f"```{info}\nkept <b>text</b>\n```\n")

    assert "kept" in html


def test_attribute_lists_are_text() -> None:
    html = checked('# T {#"><img src=x onerror=1>}\n\npara\n{: onclick="alert(1)" }\n')

    assert "{: onclick=" in html


def test_the_table_of_contents_is_made_of_text() -> None:
    rendered = render("# T <b onclick=1>&lt;script&gt;</b>\n[TOC]\n", slug="a")

    assert [(e.title, e.id) for e in rendered.toc] == [("T <script>", "h-t-script")]


def test_code_is_not_read_as_html_again() -> None:
    html = checked("[[_TOC_]]\n\n```html\n<svg><script>1</script></svg>\n```\n---\n")

    assert "<script" not in html
    assert "&lt;" in html


def test_code_for_other_engines_stays_text() -> None:
    code = "{{ x.constructor.constructor('alert(1)')() }}{% load x %}"

    assert "constructor" in checked(f"`{code}`\n\n```\n{code}\n```\n")


def test_the_text_of_unknown_elements_is_kept() -> None:
    html = checked("Vec<String>, git push <remote> <T: Copy>")

    assert "Vec&lt;String&gt;" in html
    assert "&lt;remote&gt;" in html


def test_links_without_an_address_become_their_text() -> None:
    assert checked("[label](javascript:alert(1))") == "<p>label</p>"


def test_links_elsewhere_say_so() -> None:
    assert 'rel="noopener nofollow"' in checked("[x](https://e.org/)")
    assert 'rel="noopener nofollow"' in checked("[x](//e.org/)")
    assert "rel=" not in checked("[x](/wiki/y) [x](#z) [x](y)")


def test_remote_images_are_links_unless_the_setting_allows_them(settings: Any) -> None:
    text = "![a <b>](https://e.org/l.png?q=1&r=2)"

    assert "<img" not in render(text, slug="a").html
    assert 'href="https://e.org/l.png?q=1&amp;r=2"' in render(text, slug="a").html
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"remote_images": True}
    config.reset()
    html = render(text, slug="a").html
    assert '<img src="https://e.org/l.png?q=1&amp;r=2"' in html
    assert faults(html, remote_images=True) == []


def test_own_images_are_shown() -> None:
    url = "/media/3f2b8c1e-5a4d-4e6f-8a9b-0c1d2e3f4a5b"

    assert f'<img src="{url}" alt="Plan"' in checked(f"![Plan]({url})")
    assert "<img" not in checked("![x](/media/../admin/logout)")
    assert "<img" not in checked("![x](/admin/logout)")


SIGNS = """
    [ ]( ) ![ [[ ]] | - > ` ``` * _ ~~ \\ & < > " ' # : [^1] !!! <a href= src= onclick=
    style= id= class= </ /> = x
"""
PIECES = st.sampled_from(
    [*LINKS, *RAW, *SIGNS.split(), " ", "\n", "\n\n", "    ", "- "]
)
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS)
def test_nothing_gets_through(text: str) -> None:
    html = checked(text)
    # A browser's own reading of it is the same: nothing hides in how it is written.
    tree = html5lib.parseFragment(html, namespaceHTMLElements=False)
    again = html5lib.serialize(
        tree, omit_optional_tags=False, quote_attr_values="always"
    )
    assert faults(again) == []
