"""Nobody can render just now: pages are saved and read all the same."""

import pytest

from tests.wiki.calls import Wiki
from wiki.rendering import pool
from wiki.rendering.pool import Pool


def test_a_page_is_saved_as_it_is_and_rendered_when_that_is_possible(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        away.setattr(pool, "_pool", Pool(size=0))
        away.setattr(pool, "WAIT_LIMIT_S", 0.01)
        wiki.save("a", "# Title\n\n[[b]]\n")
        shown = wiki.read("a", html=True)

    assert shown["render_failed"] == "unavailable"
    assert "# Title" in shown["html"]
    later = wiki.read("a", html=True)
    assert later["render_failed"] == ""
    assert '<h1 id="h-title">' in later["html"]


def test_a_page_that_cannot_be_rendered_is_saved_and_shown(wiki: Wiki) -> None:
    wiki.save("a", "<b>" * 60_000 + "[[b]]")

    shown = wiki.read("a", html=True)
    assert shown["render_failed"] == "too_slow"
    assert shown["html"].startswith('<p class="render-notice"')
    assert [link["slug"] for link in wiki.list("/links/broken")["results"]] == ["b"]
