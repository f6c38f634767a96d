"""Lists and results show the words of Markdown, with the matches where they were."""

import pytest
from django.test import Client

from accounts.models import User
from memory.web.hits import words_of
from memory.web.plain import plain
from tests.people import Api
from tests.web.conftest import remember

CASES = {
    # links
    "See [[ops/relay|the relay]] first.": "See the relay first.",
    "See [[ops/relay]] first.": "See ops/relay first.",
    "See [[ops/relay|]] first.": "See ops/relay first.",
    "Read [the *guide*](https://a.example/x_(y)) now": "Read the guide now",
    'Read [a [b]](/x "title") now': "Read a [b] now",
    "![A pump](/media/1.png) hums": "A pump hums",
    "[![A pump](/media/1.png)](/pump) hums": "A pump hums",
    "at <https://a.example/x>": "at https://a.example/x",
    "call a[0](x) or m[i][j]": "call a[0](x) or m[i][j]",
    "if [[ -f x ]]; then": "if [[ -f x ]]; then",
    # cut by an edge
    "so go to [[ops/relay|the re": "so go to the re",
    "so go to [[ops/re": "so go to ops/re",
    "so go to [the relay](https://a.exa": "so go to the relay",
    "the relay]] is down": "the relay is down",
    "relay|the relay]] is down": "the relay is down",
    "the relay](/ops/relay) is down": "the relay is down",
    "Address | Port |\n|---|---|\n| a | 1 |": "Address · Port\na · 1",
    "| a | 1 |\n| b | 2": "a · 1\nb · 2",
    # lines
    "## Where it runs ##\n\nHere.": "Where it runs\nHere.",
    "# About C#": "About C#",
    "#7 is open": "#7 is open",
    "- one\n  - **two**\n* three\n1. four": "one\ntwo\nthree\n1. four",
    "> said\n> > twice": "said\ntwice",
    "> [!WARNING]\n> Hot.": "WARNING\nHot.",
    "Title\n=====\n\nText\n\n---\n\nMore": "Title\nText\nMore",
    "-5 degrees": "-5 degrees",
    # tables
    "| Host | Port |\n|:--|--:|\n| [[a\\|A]] | `x|y` |": "Host · Port\nA · x|y",
    "ps | grep x": "ps | grep x",
    # words
    "**bold** *it* ***both*** __two words__ _one_ ~~old~~": (
        "bold it both two words one old"
    ),
    "**这是**重要的 and (**so**).": "这是重要的 and (so).",
    "**[[a|A]]** and *`b`*": "A and b",
    # code
    "Run `make *all*` now": "Run make *all* now",
    "``a ` b``": "a ` b",
    "```sh\n# not a heading\nls *.py *.md\n```\nThen": (
        "# not a heading\nls *.py *.md\nThen"
    ),
    "so\n```py\n__a = **b**": "so\n__a = **b**",
    "**end** of it\n```\n\n# Next": "end of it\nNext",
    # escaped, unbalanced, and what only looks like marks
    r"\*not it\* and \[no](x) and \`no`": "*not it* and [no](x) and `no`",
    "&lt;b&gt; &amp; <b>": "&lt;b&gt; &amp; <b>",
    "half **bold and `code": "half **bold and `code",
    "2**10 and f(**kwargs, *args) and 2 * 3 * 4": (
        "2**10 and f(**kwargs, *args) and 2 * 3 * 4"
    ),
    "__init__.py, snake_case_name, *.py and *.js": (
        "__init__.py, snake_case_name, *.py and *.js"
    ),
    "[1] says [so": "[1] says [so",
    "---": "---",
    "": "",
}


@pytest.mark.parametrize(("text", "words"), CASES.items())
def test_words_of_markdown(text: str, words: str) -> None:
    assert plain(text)[0] == words


@pytest.mark.parametrize(
    ("text", "matched", "shown"),
    [
        ("See [[ops/x|the relay]].", ["relay"], "See the <relay>."),
        ("See [[relay/x|the relay]].", ["relay/x", "x|the"], "See <the> relay."),
        ("[**the pump**](/relay) runs", ["pump", "runs"], "the <pump> <runs>"),
        ("go to [[ops/x|the re", ["re"], "go to the <re>"),
        ("x|the relay]] is", ["relay"], "the <relay> is"),
        ("| a |  relay |\n|--|--|\n| b | c |", ["relay", "c"], "a · <relay>\nb · <c>"),
        ("## One\n\n\n- two <b>", ["One", "two", "<b>"], "<One>\n<two> <<b>>"),
        ("**the relay** runs", ["relay** runs"], "the <relay runs>"),
    ],
)
def test_matches_stay_at_their_words(text: str, matched: list[str], shown: str) -> None:
    spans = [(text.rindex(one), text.rindex(one) + len(one)) for one in matched]
    parts = words_of(text, spans)
    assert "".join(f"<{p.text}>" if p.changed else p.text for p in parts) == shown


TEXT = "## Boiler\n\nThe [[ops/pump|boiler **pump**]] is <b>red</b> &amp; [hot](/x)."
SHOWN = "is &lt;b&gt;red&lt;/b&gt; &amp;amp; hot."


@pytest.mark.django_db
def test_results_and_lists_show_words(alice: User, alice_web: Client) -> None:
    remember(alice, TEXT, title="Heating")
    found = alice_web.get("/search", {"q": "boiler pump"}).content.decode()
    assert (
        f"<mark>Boiler</mark>\nThe <mark>boiler</mark> <mark>pump</mark> {SHOWN}"
        in found
    )
    listed = alice_web.get("/memories/").content.decode()
    assert f"Boiler The boiler pump {SHOWN}" in listed


@pytest.mark.django_db
def test_the_api_gives_the_text_as_it_is_written(alice: User, alice_api: Api) -> None:
    remember(alice, TEXT)
    answer = alice_api.post("/memory/search", {"query": "boiler pump"})
    assert answer.json()["results"][0]["snippet"] == TEXT
