"""Forms as they look and behave in a real browser: in their place, and at the error."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Identity, User
from tests.web.conftest import remember

Open = Callable[..., Page]

SIZES = [{"width": 390, "height": 844}, {"width": 820, "height": 1180}]
SIZES += [{"width": 1440, "height": 900}]

LEAVING = """() => {
  for (const more of document.querySelectorAll("main details")) more.open = true;
  const out = [...document.querySelectorAll("main .panel *")].filter((part) => {
    const panel = part.parentElement.closest(".panel").getBoundingClientRect();
    return part.getBoundingClientRect().right > panel.right + 1;
  });
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = out.map((part) => part.outerHTML);
  return scrollWidth > clientWidth ? [...found, "the page"] : found;
}"""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_nothing_leaves_its_panel(
    open_page: Open, mara: User, size: dict[str, int]
) -> None:
    name = "mara.lind.of.the.northern.valley.observatory@arvenne.example"
    Identity.objects.create(user=mara, channel="email", account="desk", sender=name)
    word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamte"
    remember(mara, "Who looks after the boilers.", title=word)
    page = open_page(mara, viewport=size)
    page.goto("/search?q=boilers")  # and so it is among what was recalled
    for address in ("/memories/add", "/accounts/profile/", "/status/", "/memories/"):
        page.goto(address)
        assert page.evaluate(LEAVING) == [], address


def test_a_form_with_an_error_is_gone_on_with_at_the_error(
    open_page: Open, mara: User
) -> None:
    page = open_page(mara)
    page.goto("/memories/add")
    page.get_by_label("Content").fill("The boat is in the shed.")
    page.get_by_label("Domain").fill("The shed")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_label("Domain")).to_be_focused()
    expect(page.get_by_label("Content")).to_have_value("The boat is in the shed.")


def test_signed_out_in_another_tab_one_keeps_what_one_wrote(
    open_page: Open, mara: User
) -> None:
    page = open_page(mara)
    page.goto("/memories/add")
    page.get_by_label("Content").fill("Half an hour of thought.")
    page.context.clear_cookies(name="goclaw_session")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_label("Your text")).to_have_value("Half an hour of thought.")
