"""Move, delete, bring back, restrict, files, and the wiki as a zip, in the browser."""

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from goclaw.lib import config
from tests.web.conftest import browser
from tests.wiki.files import png
from tests.wiki.web import fields_of, links_of, text_of, words_of, write
from wiki.models import Attachment, Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(erin: User) -> Client:
    """Return the browser of an editor."""
    return browser(erin)


@pytest.fixture
def chief(admin: User) -> Client:
    """Return the browser of an administrator."""
    return browser(admin)


def there(slug: str) -> bool:
    return Page.objects.live().at(slug).exists()


# --- moving and deleting -------------------------------------------------------------
def test_moving_shows_first_what_moves_along(web: Client) -> None:
    for slug in ("ops", "ops/a", "ops/b/c", "ops-2"):
        write(web, slug, title=f"Page {slug}")
    asked = words_of(web.get("/wiki/-/move/ops"))
    assert "3 pages move" in asked
    assert "Page ops/b/c" in asked
    assert "Page ops-2" not in asked.partition("What moves along")[2]

    answer = web.post("/wiki/-/move/ops", {"to": "run"}, follow=True)
    assert "Moved 3 pages to run" in words_of(answer)
    assert there("run/b/c")
    assert not there("ops/b/c")


def test_moving_onto_a_page_is_refused_with_a_way_out(web: Client) -> None:
    write(web, "a")
    write(web, "b")
    answer = web.post("/wiki/-/move/a", {"to": "b"})
    assert answer.status_code == 409
    assert "There is a page at b already. Use another slug, such as b-2." in words_of(
        answer
    )
    assert web.post("/wiki/-/move/a", {"to": "a/b"}).status_code == 400


def test_deleting_says_who_links_there_and_can_be_undone(web: Client) -> None:
    write(web, "a", title="Page A")
    write(web, "b", "[[a]]\n", title="Page B")
    assert "/wiki/b" in links_of(web.get("/wiki/-/delete/a"))
    answer = web.post("/wiki/-/delete/a", {"base_revision": "1"}, follow=True)
    assert "“Page A” is in the trash" in words_of(answer)
    assert web.get("/wiki/a").status_code == 404

    uid = Page.objects.get(slug="a").uid
    answer = web.post(f"/wiki/-/undelete/{uid}", follow=True)
    assert answer.redirect_chain[-1][0] == "/wiki/a"


def test_deleting_what_moved_on_asks_to_look_again(web: Client) -> None:
    write(web, "a", title="T")
    write(web, "a", "Newer.\n", title="T", base_revision="1")
    answer = web.post("/wiki/-/delete/a", {"base_revision": "1"}, follow=True)
    assert "The page was changed in between." in words_of(answer)
    assert there("a")


def test_bringing_back_to_a_taken_address_offers_another(web: Client) -> None:
    write(web, "a", "Old.\n")
    web.post("/wiki/-/delete/a", {"base_revision": "1"})
    write(web, "a", "New.\n")
    uid = Page.objects.get(slug="a", deleted_at__isnull=False).uid

    answer = web.post(f"/wiki/-/undelete/{uid}")
    assert answer.status_code == 409
    assert "There is a page at a already." in words_of(answer)
    assert fields_of(answer)["to"] == "a-2"
    assert web.post(f"/wiki/-/undelete/{uid}", {"to": "a b"}).status_code == 400
    web.post(f"/wiki/-/undelete/{uid}", {"to": "a-2"})
    assert there("a-2")


# --- restricting ---------------------------------------------------------------------
def test_a_section_gets_readers_and_writers(
    web: Client, chief: Client, alice: User, bob: User
) -> None:
    write(web, "hr/pay", "Secret.\n")
    assert web.get("/wiki/-/restrict/hr").status_code == 403
    answer = chief.post("/wiki/-/restrict/hr", {"readers": "nobody", "writers": ""})
    assert answer.status_code == 400
    assert "no user or group" in words_of(answer)
    chief.post("/wiki/-/restrict/hr", {"readers": "bob,", "writers": "alice"})

    assert web.get("/wiki/hr/pay").status_code == 404
    assert browser(bob).get("/wiki/hr/pay").status_code == 200
    assert browser(bob).get("/wiki/-/edit/hr/pay").status_code == 403
    assert browser(alice).get("/wiki/-/edit/hr/pay").status_code == 200
    shown = words_of(chief.get("/wiki/-/restrict/hr"))
    assert "Only those listed here" in shown
    assert "restricted" in words_of(chief.get("/wiki/hr/pay"))
    chief.post("/wiki/-/restrict/hr", {"lift": "1"})
    assert web.get("/wiki/hr/pay").status_code == 200


# --- files ---------------------------------------------------------------------------
def upload(client: Client, slug: str, content: bytes, name: str) -> Any:
    file = SimpleUploadedFile(name, content)
    return client.post(f"/wiki/-/files/{slug}", {"file": file, "description": "D"})


def test_files_are_added_and_removed_without_scripts(web: Client) -> None:
    write(web, "a")
    assert upload(web, "a", png(), "x.png").status_code == 302
    file = Attachment.objects.get()
    answer = web.get("/wiki/-/files/a")
    assert f"![x.png](/media/{file.uid})" in words_of(answer)
    assert f"/media/{file.uid}" in links_of(web.get("/wiki/a"))

    address = f"/wiki/-/remove-file/{file.uid}"
    assert address in links_of(answer)
    asked = web.get(address)
    assert "Delete “x.png” for good?" in words_of(asked)
    assert "/wiki/-/files/a" in links_of(asked)
    assert Attachment.objects.exists()
    web.post(address)
    assert not Attachment.objects.exists()


def test_files_that_cannot_be_taken_say_why(web: Client, settings: Any) -> None:
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"max_file_bytes": 1000}
    config.reset()
    write(web, "a")
    answer = upload(web, "a", b"x" * 2000, "x.txt")
    assert answer.status_code == 413
    assert "larger than" in words_of(answer)
    assert upload(web, "a", b"", "x.txt").status_code == 400
    assert not Attachment.objects.exists()


def test_forms_with_files_need_their_token(erin: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(erin)
    write(browser(erin), "a")
    assert upload(strict, "a", png(), "x.png").status_code == 403
    assert strict.post("/wiki/-/import", {"upload": "x"}).status_code == 403
    assert not Attachment.objects.exists()


def test_an_export_holds_what_one_may_read(
    web: Client, chief: Client, bob: User
) -> None:
    write(web, "a/b", "Text.\n")
    write(web, "hr/pay", "Secret.\n")
    chief.post("/wiki/-/restrict/hr", {"readers": "", "writers": ""})
    assert "1 page." in words_of(web.get("/wiki/-/export"))

    answer = browser(bob).get("/wiki/-/export?zip=1")
    data = b"".join(answer.streaming_content)
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert "a/b.md" in names
    assert not [name for name in names if name.startswith("hr")]


# --- who asks ------------------------------------------------------------------------
BY_SLUG = ("edit", "history", "revision", "diff", "restore", "move", "delete", "files")
CHANGES = [
    *(("post", verb) for verb in ("edit", "restore", "move", "delete", "files")),
    *(("get", verb) for verb in BY_SLUG if verb != "restore"),
    *(("get", verb) for verb in ("page", "markdown")),
]


@pytest.mark.parametrize(("method", "verb"), CHANGES)
def test_a_hidden_page_is_answered_like_a_missing_one(
    web: Client, chief: Client, method: str, verb: str
) -> None:
    write(chief, "hr/pay", "Secret axolotl.\n", title="Secret title")
    write(chief, "hr/old", "Once.\n")
    chief.post("/wiki/-/move/hr/old", {"to": "hr/new"})
    chief.post("/wiki/-/restrict/hr", {"readers": "", "writers": ""})

    def ask(slug: str) -> tuple[int, str]:
        path = reverse(f"wiki:{verb}", kwargs={"slug": slug})
        data = {"title": "T", "body": "x", "to": "z/y", "revision": "1", "n": "1"}
        answer = getattr(web, method)(path, data)
        text = text_of(answer) + answer.headers.get("Location", "")
        for name in (slug, slug.replace("/", "%2F")):
            text = text.replace(name, "<slug>")
        return answer.status_code, _without_tokens(text)

    hidden, missing = ask("hr/pay"), ask("hr/not")
    assert hidden == missing
    assert ask("hr/old") == missing
    assert "Secret" not in hidden[1]


def _without_tokens(text: str) -> str:
    start, mark, rest = text.partition('name="csrfmiddlewaretoken" value="')
    return start + _without_tokens(rest.partition('"')[2]) if mark else start


@pytest.mark.parametrize(
    "path", ["restore/a", f"undelete/{'0' * 8}-0000-4000-8000-" + "0" * 12, "preview"]
)
def test_nothing_is_changed_by_following_a_link(web: Client, path: str) -> None:
    write(web, "a")
    assert web.get(f"/wiki/-/{path}").status_code == 405
    assert web.get("/wiki/-/delete/a").status_code == 200
    assert there("a")


def test_signing_in_leads_back_into_the_wiki_and_nowhere_else(web: Client) -> None:
    answer = Client().get("/wiki/-/history/a?x=//evil.example")
    assert answer.status_code == 302
    assert answer.url.startswith("/accounts/login/?next=/wiki/-/history/a")
