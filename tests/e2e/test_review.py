"""The review with the keyboard, without scripts, and for assistive tools."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from accounts.actors import actor_for_user
from accounts.models import User
from memory.models import Memory, ReviewItem
from tests.e2e.test_accessibility import NARROW, WIDE, complaints_about
from tests.web.conftest import remember
from wiki.drafts import PageText
from wiki.finding import page_at
from wiki.models import Page as WikiPage
from wiki.pages import save_page
from wiki.review.proposing import Proposal, propose
from wiki.review.structure import Section, Sentence, Structure, applied

Open = Callable[..., Page]


def draft(fact: Memory, number: int, text: str = "") -> ReviewItem:
    """Put a draft of a page before people, made from one fact."""
    sentence = Sentence(text or fact.content, (str(fact.uid),))
    sections = (Section("Facts", (sentence,)),)
    return propose(
        Proposal(
            slug=f"learned/subject-{number}",
            text=PageText(
                title=f"Subject {number}", body=applied("", gone=(), new=sections)
            ),
            via="distill",
            page=page_at(f"learned/subject-{number}"),
            structure=Structure(sections, {str(fact.uid): fact.text_hash}),
            sources={str(fact.uid): fact.content},
        )
    )


@pytest.fixture
def fact(mara: User) -> Memory:
    return remember(
        mara, "The port is 5432.", scope="agent_notes", kind="fact", domain="ports"
    )


def message(page: Page, text: str) -> None:
    expect(page.locator(".messages")).to_contain_text(text)


def test_twenty_simple_items_in_a_minute(
    open_page: Open, mara: User, fact: Memory
) -> None:
    for number in range(20):
        draft(fact, number)
    page = open_page(mara)
    page.goto("/review/")
    started = time.monotonic()
    page.keyboard.press("j")
    page.keyboard.press("o")
    for number in range(20):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Subject {number}")
        page.keyboard.press("a")
        message(page, f"Subject {number}")
    assert time.monotonic() - started < 60
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    assert WikiPage.objects.count() == 20
    page.keyboard.press("u")
    message(page, "Undone: “Subject 19”")
    assert WikiPage.objects.live().count() == 19


def test_each_key_does_what_the_help_says(
    open_page: Open, mara: User, fact: Memory
) -> None:
    for number in range(3):
        draft(fact, number)
    page = open_page(mara)
    title = page.get_by_role("heading", level=1)
    page.goto("/review/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("o")
    expect(title).to_have_text("Subject 0")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("a")  # rests while the help is open
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("j")
    expect(title).to_have_text("Subject 1")
    page.keyboard.press("k")
    expect(title).to_have_text("Subject 0")
    page.keyboard.press("n")
    expect(page.locator("#change-1")).to_be_focused()
    page.keyboard.press("s")
    message(page, "Put off to the end")
    expect(title).to_have_text("Subject 1")
    page.keyboard.press("u")
    message(page, "It waits again")
    expect(title).to_have_text("Subject 0")
    page.keyboard.press("r")
    expect(page.locator("[data-reason]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-reason]")).to_be_hidden()
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Edit, then approve")).to_be_visible()
    page.go_back()
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(f"/records/{fact.uid}"))
    assert not WikiPage.objects.exists()


def test_keys_rest_while_typing_and_when_switched_off(
    open_page: Open, mara: User, fact: Memory
) -> None:
    item = draft(fact, 1)
    page = open_page(mara)
    page.goto(f"/review/{item.uid}")
    page.keyboard.press("r")
    field = page.get_by_label("In your words")
    field.click()
    page.keyboard.type("a bare reason? ju")
    expect(field).to_have_value("a bare reason? ju")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+a")
    page.evaluate("localStorage.setItem('goclaw-shortcuts', 'off')")
    page.reload()
    for key in ("a", "e", "r", "s", "?"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("[data-reject]")).not_to_have_attribute("open", "")
    item.refresh_from_db()
    assert item.state == "pending"
    assert not item.was_put_off


def test_all_of_it_without_scripts(open_page: Open, mara: User, fact: Memory) -> None:
    for number in range(3):
        draft(fact, number)
    page = open_page(mara, java_script_enabled=False)
    page.goto("/review/")
    page.get_by_role("link", name="Subject 0").click()
    page.get_by_role("button", name="Approve").click()
    message(page, "Published as revision 1")
    page.get_by_role("button", name="Undo").click()
    message(page, "Undone: “Subject 0”")
    page.goto("/review/")
    page.get_by_role("link", name="Subject 1").click()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Text", exact=True).fill("## Facts\n\n- By hand.\n")
    page.get_by_role("button", name="Approve this text").click()
    message(page, "Published as revision 1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Subject 2")
    page.locator("[data-reject] summary").click()
    page.get_by_label("Why?").select_option("It is wrong.")
    page.locator("[data-reject] form button").click()
    message(page, "Rejected")
    states = ReviewItem.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["undone", "approved", "rejected"]


def test_many_at_once(open_page: Open, mara: User, fact: Memory) -> None:
    for number in range(3):
        draft(fact, number)
    draft(fact, 3, "The port is 9999.")
    page = open_page(mara)
    page.goto("/review/")
    expect(page.locator("[name=item]")).to_have_count(3)
    page.get_by_label("All without risks on this page").check()
    page.get_by_role("button", name="Approve the chosen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("3 items approved")
    assert ReviewItem.objects.get(state="pending").title == "Subject 3"


def pages_of(mara: User, fact: Memory) -> list[str]:
    """Return addresses of the review, with items behind them that show every part."""
    actor = actor_for_user(mara)
    save_page(actor=actor, slug="learned/subject-9", body="Old.\n", title="Subject 9")
    strange = draft(fact, 9, "The port\u200b is [9999](https://example.org/).")
    pending = ReviewItem.objects.pending().order_by("pk")
    decided = ReviewItem.objects.exclude(state="pending")
    return [
        "/review/",
        "/review/?state=decided",
        "/review/?domain=none",
        f"/review/{strange.uid}",
        *(f"/review/{item.uid}" for item in pending),
        *(f"/review/{item.uid}" for item in decided),
        f"/review/{strange.uid}?view=unified",
        f"/review/{strange.uid}?view=rendered",
        f"/review/{strange.uid}/edit",
        "/wiki/learned/databases",
    ]


@pytest.mark.parametrize(
    ("theme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light", "dark"]
)
def test_the_review_is_accessible(
    open_page: Open,
    mara: User,
    settings: Any,
    tmp_path: Any,
    fact: Memory,
    theme: str,
    viewport: dict[str, int],
) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path
    call_command("demo")
    page = open_page(mara, color_scheme=theme, viewport=viewport)
    found = {}

    for path in pages_of(mara, fact):
        page.goto(path)
        for details in page.locator("main details").all():
            details.evaluate("element => element.open = true")
        if complaints := complaints_about(page):
            found[path] = complaints
        overflows = "document.documentElement.scrollWidth > innerWidth"
        assert not page.evaluate(overflows), f"{path} scrolls sideways"
    page.goto("/review/")
    page.keyboard.press("?")
    if complaints := complaints_about(page):
        found["keys"] = complaints

    assert found == {}
