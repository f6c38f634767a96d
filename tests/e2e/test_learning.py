"""The whole life of what agents learn, in a browser, with a scripted model over HTTP.

A conversation becomes notes; one contradicts another and retires it; a person takes
that back for good; wordings of one fact are merged; a page is distilled, edited,
approved and found; the next draft meets a page that moved on, and is refused for good.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from goclaw.lib import config
from memory import llm
from memory.models import Memory, ReviewItem
from tests.e2e.scripted_model import Script
from tests.people import Api, api_for
from tests.sessions.talking import opened, say

Open = Callable[..., Page]
RunJobs = Callable[[], int]

LED_BY_ANNA = "The pager rota of the night desk is led by Anna."
LED_BY_LUC = "Luc leads the pager rota of the night desk."
BACKUPS = [
    "The backup of lynx starts at 02:30 and is kept for 14 days.",
    "At 02:30 the nightly backup of lynx starts; copies are kept for 14 days.",
    "The lynx backup, kept for 14 days, starts at 02:30.",
]
MERGED = "The nightly backup of lynx starts at 02:30; copies are kept for 14 days."


@pytest.fixture
def script(httpserver: Any, settings: Any, tmp_path: Any) -> Any:
    """Make a script the background model, reached as any model is."""
    script = Script(domain="nightdesk")
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(script)
    settings.GOCLAW_STATE_DIR = tmp_path
    settings.GOCLAW_MODEL = settings.GOCLAW_MODEL | {
        "base_url": httpserver.url_for("/v1"),
        "name": "script",
        "timeout_s": 10,
    }
    config.reset()
    llm.reset()
    yield script
    llm.reset()


@pytest.fixture
def api(mara: User) -> Api:
    return api_for(mara)


def told(api: Api, run_jobs: RunJobs, *messages: str) -> None:
    """Hold a conversation, and let it be learned from when it is over."""
    session = opened(api)
    say(api, session, *messages)
    assert api.post(f"{session}/close").status_code in {200, 202}
    run_jobs()


def note(words: str) -> Memory:
    return Memory.objects.get(content__contains=words, scope="agent_notes")


def found(api: Api, query: str) -> str:
    """Return what an agent's `memory_search` tells about a question."""
    answer = api.post("/tools/memory_search", {"query": query})
    assert answer.status_code == 200, answer.json()
    return str(answer.json())


def choose(page: Page, title: str) -> None:
    """Open an item of the queue by its title."""
    page.goto("/review/")
    page.locator(".queue").get_by_role("link", name=title, exact=True).click()


def test_the_life_of_what_is_learned(
    open_page: Open, mara: User, api: Api, script: Script, run_jobs: RunJobs
) -> None:
    page = open_page(mara)

    # What an administrator says in a conversation becomes notes.
    told(api, run_jobs, LED_BY_ANNA, *BACKUPS)
    assert note("Anna").origin == "extraction"
    assert "Anna" in found(api, "who leads the pager rota")

    # A contradiction retires the older note, with the judge's reason.
    script.replaced = [("Luc", "Anna")]
    told(api, run_jobs, LED_BY_LUC)
    assert note("Anna").superseded_by == note("Luc")
    assert "Anna" not in found(api, "who leads the pager rota")
    choose(page, LED_BY_LUC)
    expect(page.get_by_text("Another one leads it now.")).to_be_visible()
    expect(page.locator("del")).to_contain_text("Anna")

    # A person takes it back, with the keyboard: it returns at once.
    page.keyboard.press("r")
    page.get_by_label("In your words").fill("Both lead it, in turns.")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("not decided that way again")
    assert not note("Anna").is_superseded
    assert "Anna" in found(api, "who leads the pager rota")

    # The same contradiction later does not retire it again.
    told(api, run_jobs, LED_BY_LUC)
    assert api.post("/memory/revise", {}).status_code == 202
    run_jobs()
    assert not note("Anna").is_superseded
    assert not ReviewItem.objects.filter(kind="supersede", state="pending").exists()

    # Three wordings of one fact become one, with every number.
    script.merged = {MERGED: ["backup of lynx", "lynx backup"]}
    answer = api.post("/memory/consolidate", {"merge": True})
    assert answer.status_code == 202, answer.json()
    run_jobs()
    live = Memory.objects.current().filter(content__contains="02:30")
    assert [memory.content for memory in live] == [MERGED]
    choose(page, MERGED)
    expect(page.get_by_role("heading", name=re.compile("^Source"))).to_have_count(3)
    page.keyboard.press("a")
    expect(page.locator(".messages")).to_contain_text("Confirmed")

    # The notes become a draft: each sentence with what it came from.
    script.page = [
        ("Backups", MERGED, "02:30"),
        ("People", "Anna leads the pager rota.", "Anna"),
        ("People", "Luc leads the pager rota.", "Luc"),
    ]
    page.goto("/review/")
    page.get_by_role("button", name="Distil pages").click()
    run_jobs()
    choose(page, "Nightdesk")
    claim = page.locator(".claim").filter(has_text=MERGED)
    expect(claim.locator("mark").first).to_have_text("02:30")
    expect(claim.locator(".badge.good")).to_contain_text("1 fact")
    assert page.goto("/wiki/learned/nightdesk").status == 404  # type: ignore[union-attr]

    # Edited and approved, it is live, and found by an agent.
    page.go_back()
    page.keyboard.press("e")
    text = page.get_by_label("Text", exact=True)
    expect(text).to_be_visible()
    text.fill(text.input_value().replace("Anna leads", "Anna leads, in odd weeks,"))
    page.get_by_role("button", name="Approve this text").click()
    expect(page.locator(".messages")).to_contain_text("Published as revision 1")
    page.goto("/wiki/learned/nightdesk")
    expect(page.locator(".prose")).to_contain_text("in odd weeks")
    expect(page.locator(".approval")).to_contain_text("approved by mara.lind on")
    run_jobs()
    assert "learned/nightdesk" in found(api, "Anna pager rota in odd weeks")

    # A new fact makes a new draft; meanwhile somebody changes the page.
    told(api, run_jobs, "The desk phone of the night desk is 01 90.")
    script.page += [("Phones", "The desk phone is 01 90.", "01 90")]
    page.goto("/review/")
    page.get_by_role("button", name="Distil pages").click()
    run_jobs()
    choose(page, "Nightdesk")
    expect(page.locator(".claims > .claim").first).to_contain_text("01 90")
    beside = open_page(mara)
    beside.goto("/wiki/-/edit/learned/nightdesk")
    text = beside.get_by_label("Text", exact=True)
    text.fill("Read this before your shift.\n\n" + text.input_value())
    beside.get_by_role("button", name="Save").click()
    expect(beside.locator(".prose")).to_contain_text("before your shift")

    # Nothing is overwritten: the draft is shown again, on top of that change.
    page.keyboard.press("a")
    expect(page.locator(".messages")).to_contain_text("not what you were shown")
    expect(page.get_by_text("page has moved on")).to_be_visible()
    expect(page.locator("ins").filter(has_text="01 90")).to_be_visible()
    expect(page.locator("del")).to_have_count(0)

    # Rejected, with a reason, it does not come back.
    page.keyboard.press("r")
    page.locator("[data-reason]").select_option("It does not belong on this page.")
    page.locator("[data-reject] form button").click()
    expect(page.locator(".messages")).to_contain_text("does not come back")
    asked = len(script.asked)
    page.goto("/review/")
    page.get_by_role("button", name="Distil pages").click()
    run_jobs()
    page.goto("/review/")
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    assert script.asked[asked:] == []
    page.goto("/wiki/learned/nightdesk")
    expect(page.locator(".prose")).not_to_contain_text("01 90")
    expect(page.locator(".approval")).to_contain_text("edited since")
    assert set(script.asked) == {
        "ExtractionReply",
        "JudgeReply",
        "ConsolidationReply",
        "DistillReply",
    }
