"""What an agent sees, in a real browser: form, bar and texts, on any screen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.models import User
from tests.e2e.test_accessibility import NARROW, WIDE, complaints_about
from tests.people import make_user
from tests.web.conftest import remember


@pytest.mark.parametrize(
    ("viewport", "scheme"), [(WIDE, "light"), (NARROW, "dark")], ids=["wide", "narrow"]
)
def test_files_curated_memory_and_prompt(
    open_page: Callable[..., Page],
    mara: User,
    settings: Any,
    tmp_path: Path,
    viewport: dict[str, int],
    scheme: str,
) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path
    folder = tmp_path / "workspace/memory"
    folder.mkdir(parents=True)
    (folder / "2026-11-29.md").write_text("The relay was moved.")
    (folder / "link.md").symlink_to("/etc/hostname")
    anna = make_user("anna", first_name="Anna", last_name="Weber")
    remember(anna, "My relay is called Ernst.")
    page = open_page(mara, viewport=viewport, color_scheme=scheme)

    def looks_right() -> None:
        assert complaints_about(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"]

    page.goto("/workspace/")
    page.get_by_role("button", name="Read now").click()
    page.get_by_text("1 added").wait_for()
    looks_right()
    page.get_by_role("link", name="Write Memory.md").click()
    page.fill("[name=text]", "# Curated\n\nAsk Anna about the relay.\n")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("<memory_file>").wait_for()
    looks_right()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Memory.md is saved.").wait_for()
    page.goto("/context/")
    page.fill("[name=message]", "relay")
    page.fill("[name=person]", "anna")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("Ask Anna about the relay.").wait_for()
    assert "[1 personal, " in page.content()
    assert "Ernst" not in page.content()
    looks_right()
