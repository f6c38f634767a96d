"""Sessions in the browser: listed, read, searched, trimmed, archived, summarised."""

import pytest

from tests.sessions.talking import acting_for, gateway, opened, said, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation(alice_api, settings, tmp_path):
    """One of Alice's conversations, with what a page must not believe."""
    settings.GOCLAW_STATE_DIR = tmp_path
    session = opened(alice_api, title="Gauges & <b>levels</b>")
    say(
        alice_api,
        session,
        "We decided on 4.2 m.",
        said("<script>alert(1)</script>", "assistant"),
        said("raw & long", "tool", tool_name="gauge"),
        "Thanks.",
    )
    return session


@pytest.fixture
def browser(client, alice):
    """Alice's browser."""
    client.force_login(alice)
    return client


def test_a_conversation_is_listed_and_read(browser, conversation):
    rows = browser.get("/sessions/").content.decode()
    assert "Gauges &amp; &lt;b&gt;levels" in rows
    assert f'href="{conversation}"' in rows
    text = browser.get(conversation).content.decode()
    assert "We decided on 4.2 m." in text
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text
    assert "raw &amp; long" in text


def test_a_trim_leaves_a_summary_and_an_archive(browser, conversation, run_jobs):
    answer = browser.post(f"{conversation}/trim", follow=True).content.decode()
    assert "being archived and summarised" in answer
    run_jobs()
    text = browser.get(conversation).content.decode()
    assert "Key Decisions" in text
    assert "model_not_configured" in text
    assert "summary: Gauges" in text
    day = text.partition(f"{conversation}/archive/")[2][:10]
    archived = browser.get(f"{conversation}/archive/{day}").content.decode()
    assert "We decided on 4.2 m." in archived
    assert "&lt;script&gt;" not in archived
    assert browser.get(f"{conversation}/archive/2001-01-01").status_code == 404
    assert browser.get(f"{conversation}/archive/today").status_code == 404


def test_a_damaged_archive_is_shown_as_it_is(browser, conversation, run_jobs, tmp_path):
    browser.post(f"{conversation}/trim")
    run_jobs()
    (file,) = (tmp_path / "workspace/memory/archive").glob("*.md")
    file.write_text("no front matter <b>", encoding="utf-8")
    text = browser.get(f"{conversation}/archive/{file.name[:10]}").content.decode()
    assert "The file is damaged: It has no front matter." in text
    assert "no front matter &lt;b&gt;" in text


def test_close_and_confirm(browser, alice_api):
    session = opened(alice_api, confirmed=False)
    assert "unconfirmed" in browser.get(session).content.decode()
    browser.post(f"{session}/confirm")
    browser.post(f"{session}/close")
    body = alice_api.get(session).json()
    assert body["confirmed"]
    assert body["closed_at"]


def test_long_ones_are_read_page_by_page(browser, alice_api):
    session = opened(alice_api)
    say(alice_api, session, *(f"message-{n}." for n in range(150)))
    newest = browser.get(session).content.decode()
    assert "message-50." in newest
    assert "message-49." not in newest
    earlier = browser.get(f"{session}?before=51").content.decode()
    assert "message-0." in earlier
    assert "message-50." not in earlier
    assert browser.get(f"{session}?before=x").status_code == 400


def test_what_was_said_is_searched(browser, conversation):
    text = browser.get("/sessions/", {"q": "decided"}).content.decode()
    assert "We <mark>decided</mark> on 4.2 m." in text
    assert f"{conversation}?before=2#m1" in text
    assert "Nobody said that" in browser.get("/sessions/?q=zebra").content.decode()


def test_what_was_said_in_markdown_is_shown_as_words(browser, alice_api):
    say(alice_api, opened(alice_api), "We **decided** on [4.2 m](/weir) for <it>.")
    text = browser.get("/sessions/", {"q": "decided"}).content.decode()
    assert "We <mark>decided</mark> on 4.2 m for &lt;it&gt;." in text


def test_strangers_find_nothing_and_administrators_metadata(
    client, admin, bob, conversation
):
    for person in (bob, admin):
        client.force_login(person)
        for path in ("", "/archive/2026-01-01"):
            assert client.get(conversation + path).status_code == 404
        for verb in ("trim", "close", "confirm"):
            assert client.post(f"{conversation}/{verb}").status_code == 404
    rows = client.get("/sessions/?everyone=1").content.decode()
    assert conversation.rpartition("/")[2] in rows
    assert "Gauges" not in rows
    client.force_login(bob)
    assert client.get("/sessions/?everyone=1").status_code == 403


def test_a_shared_one_is_read_by_all_who_take_part(client, admin, alice, bob):
    here = acting_for(gateway(admin), alice, "shared")
    session = opened(here, participants=["bob"])
    say(here, session, "hello Bob")
    client.force_login(bob)
    assert "hello Bob" in client.get(session).content.decode()
