"""A person's day in the wiki, and what must not go wrong while writing."""

import base64
import io
import re
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.actors import actor_for_user
from accounts.models import User
from memory.spaces import WIKI_EDITORS
from tests.wiki.files import png
from wiki.models import Page as WikiPage
from wiki.models import Revision
from wiki.pages import save_page

Open = Callable[..., Page]

RUNBOOK = """\
# Restart the relay

Use this when the relay drops connections.

## Steps

1. Look at the load on 10.0.4.17.
2. Stop the relay.
3. Start the relay.

## Afterwards

Tell the people on duty.
"""


def save(user: User, slug: str, body: str, **fields: Any) -> WikiPage:
    return save_page(actor=actor_for_user(user), slug=slug, body=body, **fields).page


@pytest.fixture
def olga(mara: User) -> User:
    """Make an editor, and a wiki with some pages."""
    olga = User.objects.create_user("olga", first_name="Olga", last_name="Berg")
    olga.groups.add(Group.objects.get_or_create(name=WIKI_EDITORS)[0])
    save(mara, "home", "Start with [[ops/relay|the relay]].\n", title="Home")
    save(mara, "ops/relay", RUNBOOK, tags=["runbook"])
    save(mara, "ops/night", "See [[ops/relay]].\n", title="Night duty")
    month = timezone.now() - timedelta(days=30)
    Revision.objects.update(created_at=month)
    return olga


def containing(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def ending(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text) + "$")


def text_area(page: Page) -> Any:
    return page.get_by_label("Text", exact=True)


def paste_picture(page: Page) -> None:
    """Paste a picture into the text, as from the clipboard of a screenshot tool."""
    text_area(page).evaluate(
        """(field, data) => {
            const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
            const clipboardData = new DataTransfer();
            const file = new File([bytes], "image.png", {type: "image/png"});
            clipboardData.items.add(file);
            const options = {clipboardData, bubbles: true, cancelable: true};
            field.dispatchEvent(new ClipboardEvent("paste", options));
        }""",
        base64.b64encode(png(40, 20)).decode(),
    )


def test_a_day_with_the_wiki(open_page: Open, olga: User) -> None:
    page = open_page(olga)

    # Find a runbook, by its title while typing.
    page.goto("/wiki/")
    page.keyboard.press("/")
    page.keyboard.type("restart rel")
    expect(page.get_by_role("option", name="Restart the relay")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Restart the relay")).to_be_visible()

    # Fix it, paste a screenshot, link a page that does not exist yet.
    page.get_by_role("link", name="Edit", exact=True).click()
    text = text_area(page)
    text.fill(text.input_value().replace("10.0.4.17", "10.0.6.40"))
    text.press("Control+End")
    page.keyboard.type("\nThe load looks like this:\n\n")
    paste_picture(page)
    expect(text).to_have_value(containing("/media/"))
    page.keyboard.type("\n\nNumbers are in [[ops/phone-list|the phone list]].\n")
    preview = page.locator("[data-preview]")
    expect(preview.locator("img")).to_be_visible()
    expect(preview.locator(".wikilink.missing")).to_have_text("the phone list")
    page.get_by_label("What did you change?").fill("New address")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("revision 2")).to_be_visible()
    assert page.locator(".prose img").evaluate("(img) => img.naturalWidth") == 40

    # Create the missing page.
    page.get_by_role("link", name="the phone list").click()
    page.get_by_role("link", name="New page here").click()
    expect(page.get_by_label("Address")).to_have_value("ops/phone-list")
    page.get_by_label("Title").fill("Phone list")
    text_area(page).fill("Duty: 01 90\n")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Phone list")).to_be_visible()
    expect(page.locator(".wiki-side")).to_contain_text("Restart the relay")

    # Compare with last week, and undo.
    page.goto("/wiki/ops/relay")
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="Compare with a week ago").click()
    expect(page.locator("td.left del").first).to_contain_text("10.0.4.17")
    expect(page.locator("td.right ins").first).to_contain_text("10.0.6.40")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("#change-1")).to_be_focused()
    page.get_by_role("button", name="Restore revision 1").click()
    expect(page.locator(".messages")).to_contain_text("Revision 1 is back")
    expect(page.locator(".prose")).to_contain_text("10.0.4.17")

    # Move the section; the old address leads to the new one.
    page.goto("/wiki/-/move/ops")
    expect(page.get_by_text("3 pages move")).to_be_visible()
    page.get_by_label("New address").fill("runbooks")
    page.get_by_role("button", name="Move").click()
    expect(page.locator(".messages")).to_contain_text("Moved 3 pages to runbooks")
    page.goto("/wiki/ops/relay")
    expect(page).to_have_url(ending("/wiki/runbooks/relay?from=ops/relay"))
    expect(page.get_by_text("Moved here from ops/relay")).to_be_visible()
    page.goto("/wiki/")
    page.get_by_role("link", name="the relay").click()
    expect(page.get_by_role("heading", name="Restart the relay")).to_be_visible()


def test_restoring_from_the_history_is_no_small_target(
    open_page: Open, olga: User
) -> None:
    save(olga, "ops/relay", "Shorter.\n", base_revision=1)
    page = open_page(olga)
    page.goto("/wiki/-/history/ops/relay")
    box = page.get_by_role("button", name="restore revision 1").bounding_box()
    assert box
    assert box["height"] >= 24


def test_two_at_once_lose_nothing(open_page: Open, olga: User, mara: User) -> None:
    page = open_page(olga)
    page.goto("/wiki/-/edit/ops/relay")
    text = text_area(page)
    text.fill(RUNBOOK.replace("Stop the relay", "Stop the relay gently"))
    theirs = RUNBOOK.replace("Stop the relay", "Kill the relay")
    save(mara, "ops/relay", theirs, base_revision=1)
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("heading", name="Put both texts together")).to_be_visible()
    expect(text).to_have_value(containing("Stop the relay gently"))
    expect(text).to_have_value(containing("Kill the relay"))
    text.fill(RUNBOOK.replace("Stop the relay", "Stop the relay gently, or kill it"))
    page.get_by_role("button", name="Save this text").click()
    page.wait_for_url("**/wiki/ops/relay")
    expect(page.locator(".prose")).to_contain_text("gently, or kill it")


def test_what_others_saved_is_merged_while_one_stays_in_the_editor(
    open_page: Open, olga: User, mara: User
) -> None:
    page = open_page(olga)
    page.goto("/wiki/-/edit/ops/relay")
    text = text_area(page)
    text.fill(RUNBOOK.replace("Use this", "Use it"))
    theirs = RUNBOOK.replace("people on duty", "people on duty and the office")
    save(mara, "ops/relay", theirs, base_revision=1)
    text.press("Control+s")

    expect(page.locator("[data-state]")).to_contain_text("both changes are in it")
    expect(text).to_have_value(containing("and the office"))
    text.press("Control+End")
    page.keyboard.type("More.\n")
    text.press("Control+s")
    expect(page.locator("[data-state]")).to_contain_text("Saved as revision 4")


def test_a_draft_survives_what_can_happen_to_a_browser(
    open_page: Open, olga: User
) -> None:
    page = open_page(olga)
    page.goto("/wiki/-/edit/ops/relay")
    text_area(page).press("Control+End")
    page.keyboard.type("Not to be lost.\n")
    expect(page.locator("[data-state]")).to_contain_text("Draft kept in this browser")

    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto("/wiki/")
    assert asked == ["beforeunload"]
    page.goto("/wiki/-/edit/ops/relay")
    expect(text_area(page)).not_to_have_value(containing("Not to be lost"))
    page.get_by_role("button", name="Go on with it").click()
    expect(text_area(page)).to_have_value(containing("Not to be lost"))
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/wiki/ops/relay")
    expect(page.locator(".prose")).to_contain_text("Not to be lost.")
    page.goto("/wiki/-/edit/ops/relay")
    expect(page.locator("[data-notices]")).not_to_contain_text("draft")


def test_an_expired_session_costs_no_text(
    open_page: Open, olga: User, live_server: Any
) -> None:
    olga.set_password("correct horse")
    olga.save()
    page = open_page()
    page.goto("/accounts/login/?next=/wiki/-/edit/ops/relay")
    sign_in(page)
    text_area(page).press("Control+End")
    page.keyboard.type("Long thoughts.\n")
    Session.objects.all().delete()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-notices]")).to_contain_text("You were signed out")
    expect(text_area(page)).to_have_value(containing("Long thoughts."))

    with page.expect_popup() as opened:
        page.get_by_role("link", name="Sign in in a new tab").click()
    sign_in(opened.value)
    opened.value.wait_for_url(f"{live_server.url}/")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/wiki/ops/relay")
    expect(page.locator(".prose")).to_contain_text("Long thoughts.")


def sign_in(page: Page) -> None:
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()


def test_the_editor_helps_with_lists_links_and_marks(
    open_page: Open, olga: User
) -> None:
    page = open_page(olga)
    page.goto("/wiki/-/new?slug=notes")
    page.get_by_label("Title").fill("Notes")
    text = text_area(page)
    text.click()
    page.keyboard.type("- one\ntwo\n")
    page.keyboard.press("Tab")
    page.keyboard.type("inner\n\n")
    expect(text).to_have_value("- one\n- two\n  - inner\n")
    page.keyboard.type("1. first\nsecond\n\nAsk [[night d")
    expect(page.get_by_role("option", name="Night duty")).to_be_visible()
    page.keyboard.press("Enter")
    value = "- one\n- two\n  - inner\n1. first\n2. second\nAsk [[ops/night|Night duty]]"
    expect(text).to_have_value(value)
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Control+b")
    expect(text).to_have_value(containing("**Ask [[ops/night|Night duty]]**"))
    page.keyboard.press("Control+b")
    expect(text).to_have_value(value)
    page.keyboard.press("Control+z")
    expect(text).to_have_value(containing("**Ask"))
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(text).not_to_be_focused()
    page.get_by_label("Tags").fill("run")
    page.get_by_label("Tags").press("End")
    page.keyboard.type("b")
    expect(page.get_by_role("option", name="runbook")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Tags")).to_have_value("runbook, ")


def test_a_file_on_a_new_page_saves_it_first_or_says_what_is_missing(
    open_page: Open, olga: User
) -> None:
    page = open_page(olga)
    page.goto("/wiki/-/new")
    paste_picture(page)
    expect(page.locator(".uploads")).to_contain_text("Give the page a title first")
    page.get_by_label("Title").fill("With picture")
    paste_picture(page)
    expect(text_area(page)).to_have_value(containing("/media/"))
    expect(page).to_have_url(ending("/wiki/-/edit/with-picture"))


def test_the_tree_opens_level_by_level(open_page: Open, olga: User, mara: User) -> None:
    save(mara, "ops/deep/er/page", "x\n", title="Deep page")
    page = open_page(olga)
    page.goto("/wiki/")
    tree = page.get_by_role("navigation", name="Page tree")
    expect(tree.get_by_role("link", name="Deep page")).to_have_count(0)
    for name in ("ops", "deep", "er"):
        tree.get_by_role("button", name=f"Pages below {name}", exact=True).click()
    expect(tree.get_by_role("link", name="Deep page")).to_be_visible()
    tree.get_by_role("button", name="Pages below ops", exact=True).press("Enter")
    expect(tree.get_by_role("link", name="Deep page")).not_to_be_visible()


def test_the_wiki_works_without_scripts(open_page: Open, olga: User) -> None:
    page = open_page(olga, java_script_enabled=False)
    page.goto("/wiki/ops/relay")
    page.get_by_role("link", name="Edit", exact=True).click()
    text_area(page).fill("Plain **form**.\n")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[data-preview] strong")).to_have_text("form")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as revision 2.")).to_be_visible()
    page.get_by_role("link", name="Pages below ops").click()
    expect(page.locator(".cards")).to_contain_text("Night duty")


def test_a_zip_is_tried_and_imported(
    open_page: Open, mara: User, run_jobs: Callable[[], int]
) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("guides/first.md", "# First guide\n")
    page = open_page(mara)
    page.goto("/wiki/-/import")
    file = {"name": "a.zip", "mimeType": "application/zip", "buffer": data.getvalue()}
    page.get_by_label("Zip of Markdown files").set_input_files(files=[file])
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url("**/jobs/*")
    run_jobs()
    expect(page.get_by_text("created: guides/first.md")).to_be_visible()
    tried = page.url
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_url(lambda url: "/jobs/" in url and url != tried)
    run_jobs()
    page.goto("/wiki/guides/first")
    expect(page.get_by_role("heading", name="First guide")).to_be_visible()
