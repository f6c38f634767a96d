"""Writing pages in the browser: no text is changed on the way, and no edit lost."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from memory.spaces import WIKI_EDITORS
from tests.people import make_user
from tests.web.conftest import browser
from tests.wiki.web import fields_of, text_of, words_of, write
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


@pytest.fixture
def web(erin: User) -> Client:
    """Return the browser of an editor."""
    return browser(erin)


@pytest.fixture
def other(db: Any) -> Client:
    """Return the browser of another editor."""
    user = make_user("olga")
    user.groups.add(Group.objects.get(name=WIKI_EDITORS))
    return browser(user)


def body_of(slug: str) -> str:
    found = Page.objects.live().at(slug).select_related("revision").get()
    assert found.revision is not None
    return found.revision.body


def save(client: Client, slug: str, body: str, base: int, **fields: Any) -> Any:
    form = {"title": "T", "body": body, "tags": "", "base_revision": base, **fields}
    headers = form.pop("headers", {})
    return client.post(f"/wiki/-/edit/{slug}", form, headers=headers)


def test_a_new_page_gets_its_address_from_its_title(web: Client) -> None:
    form = {"title": "Größe & Maß", "body": "x", "tags": "b a,b", "under": "ops/how"}
    answer = web.post("/wiki/-/new", form, follow=True)

    assert answer.redirect_chain[-1][0] == "/wiki/ops/how/gr%C3%B6%C3%9Fe-ma%C3%9F"
    assert "The page is made." in words_of(answer)
    assert Page.objects.get().tags == ["a", "b"]


def test_the_form_of_a_new_page_takes_what_a_link_says(web: Client) -> None:
    answer = web.get("/wiki/-/new?slug=not/yet&title=Not+yet")
    fields = fields_of(answer)
    assert (fields["slug"], fields["title"]) == ("not/yet", "Not yet")
    assert web.get("/wiki/-/edit/not/yet").url == "/wiki/-/new?slug=not%2Fyet"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"title": " "}, "This field is required"),
        ({"slug": "a b"}, "A slug cannot contain"),
        ({"slug": "-/new"}, "No page can lie below"),
        ({"tags": "Ü!"}, "tag"),
        ({"title": "x" * 301}, "at most 300"),
    ],
)
def test_what_is_wrong_is_said_and_the_text_stays(
    web: Client, fields: dict[str, str], said: str
) -> None:
    form = {"title": "T", "slug": "t", "body": "My words.", "tags": ""} | fields
    answer = web.post("/wiki/-/new", form)

    assert answer.status_code == 400
    assert said in words_of(answer)
    assert "My words." in words_of(answer)
    assert not Page.objects.exists()


def test_a_taken_address_is_said_at_the_address(web: Client) -> None:
    write(web, "a", "Old.\n")
    answer = web.post("/wiki/-/new", {"title": "T", "slug": "a", "body": "New."})

    assert answer.status_code == 409
    assert "There is a page already" in words_of(answer)
    assert "New." in words_of(answer)
    assert body_of("a") == "Old.\n"


def test_only_editors_write(bob: User, web: Client) -> None:
    write(web, "a", "Text.\n")
    reader = browser(bob)
    answer = reader.get("/wiki/-/edit/a")
    assert answer.status_code == 403
    assert "You are not among the editors" in words_of(answer)
    assert reader.get("/wiki/-/new").status_code == 403
    assert save(reader, "a", "x", 1).status_code == 403
    assert body_of("a") == "Text.\n"


def test_saving_what_the_form_showed_changes_nothing(web: Client) -> None:
    text = "\n\n    indented\nline  \n\nend"
    write(web, "a", text, title="T")
    shown = text_of(web.get("/wiki/-/edit/a"))
    inner = shown.partition("<textarea")[2].partition(">")[2].partition("</text")[0]
    sent = inner.removeprefix("\n").replace("\n", "\r\n")  # what a browser does

    answer = save(web, "a", sent, 1)

    assert answer.status_code == 302
    assert body_of("a") == text
    assert Revision.objects.count() == 1


def test_changes_of_two_that_do_not_touch_are_put_together(
    web: Client, other: Client
) -> None:
    write(web, "a", "one\ntwo\nthree\nfour\n", title="T")
    save(other, "a", "ONE\ntwo\nthree\nfour\n", 1)
    answer = save(web, "a", "one\ntwo\nthree\nFOUR\n", 1)
    assert answer.status_code == 302
    assert "both changes are in it" in words_of(web.get(answer.url))
    assert body_of("a") == "ONE\ntwo\nthree\nFOUR\n"


def test_changes_that_touch_are_shown_and_nothing_is_lost(
    web: Client, other: Client
) -> None:
    write(web, "a", "one\ntwo\n", title="T")
    save(other, "a", "one\ntheirs <b>\n", 1)
    answer = save(web, "a", "one\nmine\n", 1, summary="Why", tags="x")

    assert answer.status_code == 409
    words = words_of(answer)
    assert "Olga" in words
    assert "saved revision 2" in words
    assert "<<<<<<< yours mine ======= theirs <b> >>>>>>> saved meanwhile" in words
    assert body_of("a") == "one\ntheirs <b>\n"
    fields = fields_of(answer)
    assert fields["base_revision"] == "2"
    assert (fields["summary"], fields["tags"]) == ("Why", "x")

    marked = "one\r\n<<<<<<< yours\r\nmine\r\n"
    answer = save(web, "a", marked, 2, merging=fields["merging"])
    assert answer.status_code == 400
    assert "The mark “<<<<<<< yours” still stands in the text." in words_of(answer)
    answer = save(web, "a", "one\nboth\n", 2, merging=fields["merging"])
    assert answer.status_code == 302
    assert body_of("a") == "one\nboth\n"


def test_a_page_deleted_meanwhile_can_be_saved_anew(web: Client, other: Client) -> None:
    write(web, "a", "Text.\n", title="T")
    other.post("/wiki/-/delete/a", {"base_revision": "1"})
    answer = save(web, "a", "My edit.\n", 1)

    assert answer.status_code == 409
    assert "it was deleted meanwhile" in words_of(answer)
    assert "My edit." in words_of(answer)
    again = {"title": "T", "slug": "a", "body": "My edit.\n", "base_revision": ""}
    assert fields_of(answer)["base_revision"] == ""
    answer = web.post("/wiki/-/edit/a", again)
    assert answer.status_code == 302
    assert body_of("a") == "My edit.\n"


def test_whoever_is_signed_out_meanwhile_gets_the_text_back(web: Client) -> None:
    write(web, "a", "Text.\n", title="T")
    visitor = Client()
    answer = save(visitor, "a", "  My <long> text.\n", 1)

    assert answer.status_code == 401
    assert "&lt;long&gt; text." in text_of(answer)
    assert "Nothing was changed" in words_of(answer)
    answer = save(visitor, "a", "x", 1, headers=JSON)
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "unauthenticated"


def test_a_script_saves_and_stays(web: Client, other: Client) -> None:
    form = {"title": "T", "slug": "", "body": "one\ntwo\nthree\n"}
    told = web.post("/wiki/-/new", form, headers=JSON).json()
    assert told["revision"] == 1
    assert told["edit_url"] == "/wiki/-/edit/t"
    assert told["body"] is None

    save(other, "t", "ONE\ntwo\nthree\n", 1)
    told = save(web, "t", "one\r\ntwo\r\nTHREE\r\n", 1, headers=JSON).json()
    assert told["revision"] == 3
    assert told["body"] == "ONE\ntwo\nTHREE\n"

    answer = save(web, "t", "no\n", 1, headers=JSON)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "edit_conflict"
    answer = save(web, "t", "x", 3, title="", headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "title"
    answer = save(web, "t", "x", 3, tags="!!", headers=JSON)
    assert answer.status_code == 400
    assert json.loads(answer.content)["error"]["message"]


def test_the_preview_is_what_the_page_will_be(web: Client) -> None:
    text = "## A\n\nx[^1] [[a]] [[none]] <script>1</script>\n\n[^1]: note\n"
    write(web, "a", text, title="T")
    page = text_of(web.get("/wiki/a"))
    answer = web.post("/wiki/-/preview", {"body": text, "slug": "a"})

    shown = text_of(answer)
    assert "<script" not in shown
    assert 'id="preview-h-a"' in shown, "ids beside those of the page"
    for prefix in ('id="preview-', 'href="#preview-'):
        shown = shown.replace(prefix, prefix.removesuffix("preview-"))
    assert shown.strip() in page


def test_the_preview_works_without_scripts(web: Client) -> None:
    form = {"title": "T", "slug": "", "body": "**bold** move", "preview": "1"}
    answer = web.post("/wiki/-/new", form)
    assert "<strong>bold</strong> move" in text_of(answer)
    assert "**bold** move" in text_of(answer)
    assert not Page.objects.exists()


def test_code_of_templates_stays_text(web: Client) -> None:
    text = "```\n{{ x.constructor }} {% include 'x' %}\n```\n"
    write(web, "a", text)
    assert "{{ x.constructor }} {% include 'x' %}" in words_of(web.get("/wiki/a"))


def test_refusals_for_scripts_have_the_one_shape(erin: User) -> None:
    answer = Client().post(
        "/wiki/-/preview", {"body": "x"}, headers={"Accept": "application/json"}
    )
    assert answer.status_code == 401
    error = answer.json()["error"]
    assert error["code"] == "unauthenticated"
    assert error["request_id"] == answer["X-Request-ID"]
