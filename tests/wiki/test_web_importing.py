"""An import in the browser: sent once, tried, begun, followed."""

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from memory.models import Job
from tests.web.conftest import browser
from tests.wiki.calls import Wiki
from tests.wiki.web import fields_of, text_of, words_of
from tests.wiki.zips import run_imports, zip_of

pytestmark = pytest.mark.django_db
ADDRESS = "/wiki/-/import"
DATA = zip_of(("a.md", "# One\n"), ("b.md", "# Two\n"), ("c.txt", "x"))


def tried(client: Client, data: bytes = DATA, under: str = "") -> str:
    """Send a zip; return the token of what is kept of it."""
    sent = {"file": SimpleUploadedFile("folder.zip", data), "under": under}
    answer = client.post(ADDRESS, sent)
    assert answer.status_code == 200
    return fields_of(answer).get("upload", "")


def test_a_zip_is_sent_once_tried_and_imported(wiki: Wiki, erin: User) -> None:
    client = browser(erin)

    token = tried(client, under="notes/")
    assert wiki.slugs() == []
    begun = client.post(ADDRESS, {"upload": token})
    assert begun.status_code == 302
    assert "Queued" in words_of(client.get(begun["Location"]))
    run_imports()

    page = words_of(client.get(begun["Location"]))
    assert "Created2" in page
    assert "skipped: c.txt" in page
    assert sorted(wiki.slugs()) == ["notes/a", "notes/b"]


def test_pressing_import_twice_begins_one_job(erin: User) -> None:
    client = browser(erin)
    token = tried(client)

    places = [client.post(ADDRESS, {"upload": token})["Location"] for _ in range(2)]
    run_imports()
    places.append(client.post(ADDRESS, {"upload": token})["Location"])

    assert len(set(places)) == 1
    assert Job.objects.filter(kind="import_pages").count() == 1


def test_the_token_of_a_zip_is_good_for_who_sent_it(erin: User, admin: User) -> None:
    token = tried(browser(erin))

    for client, sent in (
        (browser(admin), token),
        (browser(erin), token + "x"),
        (browser(erin), ""),
    ):
        answer = client.post(ADDRESS, {"upload": sent})
        assert answer.status_code == 400
        assert "Send it again" in words_of(answer)
    assert not Job.objects.filter(kind="import_pages").exists()


def test_a_zip_that_was_purged_meanwhile_is_asked_for_again(erin: User) -> None:
    client = browser(erin)
    token = tried(client)
    for folder in default_storage.listdir("")[0]:
        for name in default_storage.listdir(folder)[1]:
            default_storage.delete(f"{folder}/{name}")

    answer = client.post(ADDRESS, {"upload": token})

    assert answer.status_code == 400
    assert "Send it again" in words_of(answer)


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"no zip", "no zip that can be read"), (zip_of(("c.txt", "x")), "nothing in it")],
)
def test_what_holds_nothing_to_import_is_not_kept(
    erin: User, data: bytes, says: str
) -> None:
    before = kept()
    sent = {"file": SimpleUploadedFile("folder.zip", data)}
    assert says in words_of(browser(erin).post(ADDRESS, sent))
    assert kept() == before


def kept() -> set[str]:
    folders = default_storage.listdir("")[0]
    return {f for folder in folders for f in default_storage.listdir(folder)[1]}


def test_what_is_no_zip_is_refused_at_its_field(erin: User) -> None:
    sent = {"file": SimpleUploadedFile("folder.zip", b"no zip")}
    answer = browser(erin).post(ADDRESS, sent)
    assert answer.status_code == 400
    assert 'id="id_file_error"' in text_of(answer)


def test_who_does_not_edit_sends_nothing(bob: User) -> None:
    sent = {"file": SimpleUploadedFile("folder.zip", DATA)}
    assert browser(bob).get(ADDRESS).status_code == 403
    assert browser(bob).post(ADDRESS, sent).status_code == 403
