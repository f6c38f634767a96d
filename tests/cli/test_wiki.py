"""The wiki from the terminal: pages, merges and conflicts, a zip out and in."""

from pathlib import Path

import pytest

from accounts.models import User
from tests.cli.conftest import Run
from tests.people import Api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(server: User, api: Api) -> str:
    body = {"body": "# On call\n\nRing 110.\n", "title": "On call"}
    assert api.post("/memory/wiki?slug=handbook/on-call", body).status_code == 201
    return "handbook/on-call"


def test_pages_are_listed_and_shown(goclaw: Run, page: str) -> None:
    assert page in goclaw("wiki", "list", "--under", "handbook").out
    assert goclaw("wiki", "list", "--under", "other", "--json").json == []
    assert goclaw("wiki", "show", page).out == "# On call\n\nRing 110.\n"
    assert goclaw("wiki", "show", "no/such").code == 5


def test_a_page_is_edited_from_a_file(goclaw: Run, page: str, tmp_path: Path) -> None:
    text = tmp_path / "text.md"
    text.write_text("# On call\n\nRing 112.\n")
    tried = goclaw("wiki", "edit", page, "--file", text, "--dry-run")
    assert tried.json["page"]["base_revision"] == 1
    saved = goclaw("wiki", "edit", page, "--file", text, "-m", "EU number")
    assert saved.out == f"{page} is at revision 2.\n"
    assert "112" in goclaw("wiki", "show", page).out
    again = goclaw("wiki", "edit", page, "--file", text)
    assert again.out == "Nothing was changed.\n"


def test_a_new_address_makes_a_page(goclaw: Run, server: User) -> None:
    made = goclaw("wiki", "edit", "new/page", "--file", "-", "--json", stdin="Hello.\n")
    assert (made.json["revision"], made.json["body"]) == (1, "Hello.\n")


def test_without_a_terminal_there_is_no_editor(goclaw: Run, page: str) -> None:
    ran = goclaw("wiki", "edit", page)
    assert ran.code == 2
    assert "--file" in ran.err


def test_the_wiki_goes_out_and_comes_back(
    goclaw: Run, page: str, imports_run: None, tmp_path: Path
) -> None:
    file = tmp_path / "wiki.zip"
    assert goclaw("wiki", "export", "--file", file).code == 0
    tried = goclaw("wiki", "import", file, "--under", "copy", "--dry-run", "--json")
    assert tried.json["counts"] == {"created": 1}
    assert goclaw("wiki", "show", f"copy/{page}").code == 5
    asked = goclaw("wiki", "import", file, "--under", "copy")
    assert (asked.code, "Add --yes" in asked.err) == (2, True)
    assert goclaw("wiki", "import", file, "--under", "copy", "--yes").code == 0
    assert "Ring 110" in goclaw("wiki", "show", f"copy/{page}").out
