"""A real browser against a live server; no page may log an error or break the CSP.

Playwright runs an event loop in this thread, so Django has to be told that the tests'
own queries are fine. Chromium's place can be set by GOCLAW_CHROMIUM.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from accounts.models import User
from tests.web.conftest import remember

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/e2e/" in item.path.as_posix():
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("GOCLAW_CHROMIUM", "/usr/bin/chromium"),
            args=FLAGS,
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page, signed in as a person or as nobody."""
    contexts = []
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "status of 4" not in message.text:
            complaints.append(message.text)

    def open_(user: User | None = None, **options: Any) -> Page:
        context = chromium.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies["goclaw_session"].value
            context.add_cookies(
                [{"name": "goclaw_session", "value": cookie, "url": live_server.url}]
            )
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def mara(transactional_db: None) -> User:
    """Make an administrator with records of every look."""
    mara = User.objects.create_superuser("mara.lind", password="correct horse")
    remember(mara, "Tea, never coffee.", kind="preference", tags=["style"])
    remember(
        mara,
        "Deploys go out on Tuesdays.\nNever on Fridays: the on-call person is alone.",
        title="Deploys",
        kind="decision",
        domain="deploy",
    )
    remember(
        mara,
        "ERR_CONN_RESET means that the relay at 10.0.4.17 dropped the connection.",
        scope="agent_notes",
        kind="insight",
        tags=["critical", "relay"],
    )
    for n in range(3):
        remember(mara, f"Turn {n} of a talk.", sequence_id="t", sequence_position=n)
    return mara
