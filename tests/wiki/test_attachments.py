"""Files of pages: what they are, who gets them, how they are sent."""

from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.models import User
from goclaw.lib import config
from tests.wiki.calls import Wiki
from tests.wiki.files import GIF, HTML, SVG, attach, body_of, fetch, pdf, png, upload
from wiki.models import Attachment


@pytest.fixture(autouse=True)
def _page(wiki: Wiki) -> None:
    wiki.save("ops/plan", "# Plan\n")


def test_an_image_is_sent_in_place_with_its_type_and_size(wiki: Wiki) -> None:
    file = attach(wiki.api, "ops/plan", png(4, 3), "Plan.png")

    assert file["media_type"] == "image/png"
    assert (file["width"], file["height"]) == (4, 3)
    assert file["markdown"] == f"![Plan.png]({file['url']})"
    answer = fetch(wiki.api, file["url"])
    assert body_of(answer) == png(4, 3)
    assert answer["Content-Type"] == "image/png"
    assert answer["Content-Disposition"] == 'inline; filename="Plan.png"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"].startswith("sandbox;")


@pytest.mark.parametrize(
    ("content", "name", "claimed", "media_type"),
    [
        (SVG, "x.svg", "image/svg+xml", "image/svg+xml"),
        (SVG, "x.png", "image/png", "image/svg+xml"),
        (b"\xef\xbb\xbf \n" + SVG, "x.png", "image/png", "image/svg+xml"),
        (HTML, "x.html", "text/html", "text/html"),
        (HTML, "x.gif", "image/gif", "text/html"),
        (b"<?xml version='1.0'?><x/>", "x.xml", "text/xml", "application/xml"),
        (
            b"\x89PNG\r\n\x1a\n<script>",
            "x.png",
            "image/png",
            "application/octet-stream",
        ),
        (b"\0\1\2\3", "x.jpg", "image/jpeg", "application/octet-stream"),
        (b"plain words", "x.txt", "image/png", "text/plain"),
    ],
)
def test_what_runs_or_lies_is_a_download(
    wiki: Wiki, content: bytes, name: str, claimed: str, media_type: str
) -> None:
    file = attach(wiki.api, "ops/plan", content, name, claimed=claimed)
    answer = fetch(wiki.api, file["url"])

    assert file["media_type"] == media_type
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        (".", "file"),
        ("..", "file"),
        ('a";\r\nX: 1.txt', "a; X 1.txt"),
        ("Č plán.pdf", "Č plán.pdf"),
        ("a%22.sh", "a%22.sh"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("n" * 300 + ".txt", "n" * 146 + ".txt"),
        ("猫.md", "猫.md"),
    ],
)
def test_names_are_shown_without_harm(wiki: Wiki, given: str, shown: str) -> None:
    file = attach(wiki.api, "ops/plan", b"words", given)

    assert file["name"] == shown
    assert fetch(wiki.api, file["url"]).status_code == 200


def test_stored_names_are_ours_and_nothing_is_overwritten(wiki: Wiki) -> None:
    first = attach(wiki.api, "ops/plan", b"one", "../same.txt")
    second = attach(wiki.api, "ops/plan", b"two", "../same.txt")

    assert body_of(fetch(wiki.api, first["url"])) == b"one"
    assert body_of(fetch(wiki.api, second["url"])) == b"two"
    for key in Attachment.objects.values_list("key", flat=True):
        assert "same" not in key
        assert (settings.MEDIA_ROOT / key).is_file()


def test_strangers_get_what_a_missing_file_gets(
    wiki: Wiki, reader: Wiki, admin_wiki: Wiki
) -> None:
    file = attach(wiki.api, "ops/plan", b"secret")
    missing = "/media/00000000-0000-4000-8000-000000000000"

    assert fetch(reader.api, file["url"]).status_code == 200
    assert fetch(None, file["url"]).status_code == 404
    admin_wiki.restrict("ops", readers=[], writers=["erin"])
    assert fetch(wiki.api, file["url"]).status_code == 200
    hidden, none = fetch(reader.api, file["url"]), fetch(reader.api, missing)
    assert hidden.status_code == none.status_code == 404
    assert hidden.json()["error"]["message"] == none.json()["error"]["message"]
    assert reader.api.get(f"/files/{file['id']}").status_code == 404
    assert reader.api.get("/files").json()["results"] == []
    for path in ("/media/..%2f..%2fetc/passwd", "/media/%00", "/media/a"):
        assert fetch(reader.api, path).status_code == 404


def test_a_browser_session_reads_files(wiki: Wiki, bob: User) -> None:
    file = attach(wiki.api, "ops/plan", png())
    browser = APIClient()
    browser.force_login(bob)

    answer = browser.get(file["url"], headers={"Accept": "image/avif,image/webp"})

    assert answer.status_code == 200


def test_who_does_not_edit_the_page_adds_and_removes_nothing(
    wiki: Wiki, reader: Wiki
) -> None:
    file = attach(wiki.api, "ops/plan", b"words")
    path = "/memory/wiki/attachments?slug=ops/plan"

    assert upload(reader.api, path, b"mine").status_code == 403
    assert reader.api("delete", f"/files/{file['id']}").status_code == 403
    missing = "/memory/wiki/attachments?slug=no/page"
    assert upload(wiki.api, missing, b"mine").status_code == 404
    assert Attachment.objects.count() == 1


def test_what_is_refused_leaves_no_bytes(wiki: Wiki, reader: Wiki) -> None:
    before = stored()
    path = "/memory/wiki/attachments?slug=ops/plan"

    upload(reader.api, path, b"mine")
    upload(wiki.api, path, b"words", tags="NO TAG")
    upload(wiki.api, path, b"words", description="x\0y")

    assert stored() == before


def stored() -> set[str]:
    folders = default_storage.listdir("")[0]
    return {name for folder in folders for name in default_storage.listdir(folder)[1]}


def test_in_the_trash_the_files_of_a_page_are_gone_until_it_comes_back(
    wiki: Wiki,
) -> None:
    page = wiki.read("ops/plan")
    file = attach(wiki.api, "ops/plan", b"zephyrine words", "a.txt")
    assert wiki.api.search("zephyrine")

    wiki.delete("ops/plan")
    assert fetch(wiki.api, file["url"]).status_code == 404
    assert wiki.api.search("zephyrine") == []

    assert wiki.undelete(page["id"]).status_code in {200, 201}
    assert fetch(wiki.api, file["url"]).status_code == 200
    assert wiki.api.search("zephyrine")


def test_the_search_finds_files_for_those_who_read_the_page(
    wiki: Wiki, reader: Wiki, admin_wiki: Wiki
) -> None:
    attach(
        wiki.api, "ops/plan", pdf("Quixotic budgets"), "b.pdf", description="Numbers"
    )

    (hit,) = reader.api.search("quixotic budgets")
    assert hit["kind"] == "document"
    assert hit["title"] == "b.pdf"
    admin_wiki.restrict("ops", readers=[], writers=["erin"])
    assert reader.api.search("quixotic budgets") == []
    assert wiki.api.search("quixotic budgets")
    admin_wiki.lift("ops")
    assert reader.api.search("quixotic budgets")


def test_moving_a_page_takes_its_files_along(wiki: Wiki) -> None:
    attach(wiki.api, "ops/plan", b"words", "a.txt")

    wiki.move("ops/plan", "archive/plan")

    (file,) = wiki.list("/attachments", slug="archive/plan")["results"]
    assert file["page"] == "archive/plan"


def test_removing_a_file_removes_bytes_and_record(
    wiki: Wiki, django_capture_on_commit_callbacks: Any
) -> None:
    file = attach(wiki.api, "ops/plan", b"zephyrine words", "a.txt")
    key = Attachment.objects.get().key

    with django_capture_on_commit_callbacks(execute=True):
        assert wiki.api("delete", f"/files/{file['id']}").status_code == 204

    assert not default_storage.exists(key)
    assert fetch(wiki.api, file["url"]).status_code == 404
    assert wiki.api.search("zephyrine") == []


def test_files_over_the_limit_are_refused_while_they_stream(
    wiki: Wiki, settings: Any
) -> None:
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"max_file_bytes": 1000}
    config.reset()
    path = "/memory/wiki/attachments?slug=ops/plan"

    answer = upload(wiki.api, path, b"x" * 1001)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "file_too_large"
    assert upload(wiki.api, path, b"x" * 500_000).status_code == 413
    assert upload(wiki.api, path, b"x" * 1000).status_code == 201


def test_an_image_that_says_it_is_huge_is_refused(wiki: Wiki) -> None:
    path = "/memory/wiki/attachments?slug=ops/plan"
    bomb = GIF.replace(b"\x03\x00\x02\x00", b"\xff\xff\xff\xff")

    assert upload(wiki.api, path, bomb).json()["error"]["code"] == "image_too_large"


@pytest.mark.parametrize(
    "body",
    [{}, {"file": "text"}, {"other": b"x"}, {"file": [b"one", b"two"]}],
    ids=["nothing", "text", "another field", "two files"],
)
def test_exactly_one_file_is_taken(wiki: Wiki, body: Any) -> None:
    def as_file(value: Any) -> Any:
        if isinstance(value, bytes):
            return SimpleUploadedFile("a.txt", value)
        return [as_file(one) for one in value] if isinstance(value, list) else value

    answer = APIClient().post(
        "/api/memory/wiki/attachments?slug=ops/plan",
        {name: as_file(value) for name, value in body.items()},
        format="multipart",
        headers={"Authorization": f"Bearer {wiki.api.secret}"},
    )

    assert answer.status_code == 400
    assert Attachment.objects.count() == 0


def test_an_empty_file_is_refused(wiki: Wiki) -> None:
    path = "/memory/wiki/attachments?slug=ops/plan"

    assert upload(wiki.api, path, b"").status_code == 400


def test_many_form_parts_are_refused(wiki: Wiki) -> None:
    path = "/memory/wiki/attachments?slug=ops/plan"
    parts = {f"field{n}": "x" for n in range(20_000)}

    assert upload(wiki.api, path, b"words", **parts).status_code in {400, 413}


def test_lists_of_files_take_the_same_number_of_queries(
    wiki: Wiki, django_assert_max_num_queries: Any
) -> None:
    for n in range(8):
        attach(wiki.api, "ops/plan", b"%d" % n)

    with django_assert_max_num_queries(6):
        assert len(wiki.list("/attachments", slug="ops/plan")["results"]) == 8


def test_a_retried_upload_adds_one_file(wiki: Wiki) -> None:
    wiki.save("a")
    wiki.save("b")
    key = {"Idempotency-Key": "k1"}
    for place in ("/memory/wiki/attachments?slug=a", "/files"):
        first, again = (
            upload(wiki.api, place, png(), "a.png", headers=key) for _ in range(2)
        )
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json() == again.json()
        assert again["Idempotent-Replay"] == "true"
        for other in (
            upload(wiki.api, place, png(3), "a.png", headers=key),
            upload(wiki.api, place, png(), "b.png", headers=key),
            upload(wiki.api, "/memory/wiki/attachments?slug=b", png(), headers=key),
        ):
            assert other.status_code == 422
        key = {"Idempotency-Key": "k2"}
    assert Attachment.objects.count() == 2
