"""What people do in the browser, from sign-in to undo, with keyboard and without JS."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import User
from memory.models import Memory

Open = Callable[..., Page]


def test_sign_in_leads_back_to_where_one_wanted_to_go(
    open_page: Open, mara: User
) -> None:
    page = open_page()
    page.goto("/memories/")
    page.get_by_label("Username").fill("mara.lind")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("heading", name="My memories")).to_be_visible()
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_write_find_edit_forget_undo(open_page: Open, mara: User) -> None:
    page = open_page(mara)
    page.goto("/")
    page.get_by_role("link", name="My memories").click()
    page.get_by_role("link", name="Add a memory").click()
    page.get_by_label("Content").fill("The key of the shed\nhangs behind the door.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("It can be found by word at once.")).to_be_visible()

    page.get_by_role("searchbox").fill("shed")
    page.keyboard.press("Enter")
    page.locator("[data-hit]").first.click()
    expect(page.locator("#cited")).to_contain_text("hangs behind the door")

    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Content").fill("The key of the shed\nlies under the pot.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".diff del")).to_contain_text("hangs behind the door.")
    expect(page.locator(".diff ins")).to_contain_text("lies under the pot.")

    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("Forgotten.")).to_be_visible()
    expect(page.locator(".cards")).not_to_contain_text("shed")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Restored.")).to_be_visible()
    expect(page.locator("article")).to_contain_text("under the pot")


def test_the_keyboard_searches_and_walks_through_hits(
    open_page: Open, mara: User
) -> None:
    page = open_page(mara)
    page.goto("/memories/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("turn talk j/k")
    expect(page.get_by_role("searchbox")).to_have_value("turn talk j/k")

    page.goto("/memories/")
    hits = page.locator("[data-hit]")
    page.keyboard.press("j")
    expect(hits.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(hits.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(hits.nth(0)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_be_visible()


def test_a_question_mark_tells_the_keys_of_the_page(
    open_page: Open, mara: User
) -> None:
    page = open_page(mara)
    page.goto("/memories/")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("next and previous of the list")
    expect(keys.get_by_text("edit the page")).to_be_hidden()
    page.keyboard.press("j")  # rests meanwhile
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(page.locator("[data-hit]").first).not_to_be_focused()

    page.goto("/status/")
    page.keyboard.press("?")
    expect(keys.get_by_text("search")).to_be_visible()
    expect(keys.get_by_text("next and previous of the list")).to_be_hidden()


def test_shortcuts_can_be_switched_off_for_good(open_page: Open, mara: User) -> None:
    page = open_page(mara)
    page.goto("/memories/")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_label("Keyboard shortcuts").uncheck()
    page.goto("/memories/")
    page.keyboard.press("/")

    expect(page.get_by_role("searchbox")).not_to_be_focused()


def test_a_chosen_theme_stays_and_never_flashes(open_page: Open, mara: User) -> None:
    page = open_page(mara, color_scheme="light")
    page.goto("/")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Dark").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.goto("/status/", wait_until="commit")
    page.wait_for_selector("body", state="attached")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.wait_for_load_state()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_the_first_tab_stop_skips_to_the_content(open_page: Open, mara: User) -> None:
    page = open_page(mara)
    page.goto("/memories/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()


def test_everything_works_without_scripts(open_page: Open, mara: User) -> None:
    page = open_page(mara, java_script_enabled=False)
    page.goto("/search")
    page.locator("main").get_by_role("searchbox").fill("deploys")
    page.locator("main").get_by_role("searchbox").press("Enter")
    page.locator("[data-hit]").first.click()
    page.get_by_role("button", name="Forget").click()
    page.get_by_role("button", name="Undo").click()

    assert not Memory.objects.filter(forgotten_at__isnull=False).exists()


def test_filters_open_on_a_phone(open_page: Open, mara: User) -> None:
    page = open_page(mara, viewport={"width": 390, "height": 844})
    page.goto("/search?q=deploys")
    expect(page.get_by_label("Domain")).not_to_be_visible()
    page.get_by_role("button", name="Filters").click()
    behind = page.locator("#filters").evaluate(
        "it => getComputedStyle(it).backgroundColor"
    )
    assert re.fullmatch(r"rgb\(.*\)", behind), "what lies behind shines through"
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_label("Domain")).not_to_be_visible()
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Domain").fill("nothing-here")
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_role("heading", name="Nothing fits")).to_be_visible()
    page.get_by_role("link", name="Remove the filter domain nothing-here").click()
    expect(page.locator("[data-hit]").first).to_be_visible()


def test_on_a_phone_what_is_used_less_is_behind_more(
    open_page: Open, mara: User
) -> None:
    page = open_page(mara, viewport={"width": 360, "height": 740})
    page.goto("/")
    bar = page.get_by_role("navigation", name="Main")
    assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    expect(bar.get_by_role("link")).to_have_count(4)
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("navigation", name="More").get_by_text("Sessions").click()
    expect(page).to_have_url(re.compile("/sessions"))
