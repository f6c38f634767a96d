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
from wiki import archives

pytestmark = pytest.mark.django_db
ADDRESS = "/wiki/-/import"
DATA = zip_of(("a.md", "# One\n"), ("b.md", "# Two\n"), ("c.txt", "x"))


def sent(client: Client, data: bytes = DATA, under: str = "") -> str:
    """Send a zip; return the address of the job that tries it."""
    fields = {"file": SimpleUploadedFile("folder.zip", data), "under": under}
    answer = client.post(ADDRESS, fields)
    assert answer.status_code == 302
    return str(answer["Location"])


def tried(client: Client, data: bytes = DATA, under: str = "") -> str:
    """Send a zip and have it tried; return what its page sends to import it."""
    place = sent(client, data, under)
    run_imports()
    return fields_of(client.get(place)).get("trial", "")


def test_a_zip_is_sent_once_tried_and_imported(wiki: Wiki, erin: User) -> None:
    client = browser(erin)

    place = sent(client, under="notes/")
    page = words_of(client.get(place))
    assert "Queued" in page
    assert "nothing is written" in page
    run_imports()
    answer = client.get(place)
    page = words_of(answer)
    assert "Created2" in page
    assert "created: a.md -> notes/a" in page
    assert wiki.slugs() == []

    begun = client.post(ADDRESS, {"trial": fields_of(answer)["trial"]})
    assert begun.status_code == 302
    assert "Queued" in words_of(client.get(begun["Location"]))
    run_imports()

    page = words_of(client.get(begun["Location"]))
    assert "Created2" in page
    assert "skipped: c.txt" in page
    assert "created: a.md" not in page
    assert sorted(wiki.slugs()) == ["notes/a", "notes/b"]


def test_pressing_import_twice_begins_one_job(erin: User) -> None:
    client = browser(erin)
    trial = tried(client)

    places = [client.post(ADDRESS, {"trial": trial})["Location"] for _ in range(2)]
    run_imports()
    places.append(client.post(ADDRESS, {"trial": trial})["Location"])

    assert len(set(places)) == 1
    assert Job.objects.filter(kind="import_pages").count() == 2


def test_what_was_tried_is_imported_by_who_sent_it(erin: User, admin: User) -> None:
    place = sent(browser(erin))
    trial = place.rpartition("/")[2]
    early = browser(erin).post(ADDRESS, {"trial": trial})
    assert early.status_code == 400
    run_imports()

    assert "trial" not in fields_of(browser(admin).get(place))
    for client, told in (
        (browser(admin), trial),
        (browser(erin), trial + "x"),
        (browser(erin), ""),
    ):
        assert client.post(ADDRESS, {"trial": told}).status_code == 400
    assert Job.objects.filter(kind="import_pages").count() == 1


def test_a_zip_that_was_purged_meanwhile_is_asked_for_again(erin: User) -> None:
    client = browser(erin)
    trial = tried(client)
    for folder in default_storage.listdir("")[0]:
        for name in default_storage.listdir(folder)[1]:
            default_storage.delete(f"{folder}/{name}")

    answer = client.post(ADDRESS, {"trial": trial})

    assert answer.status_code == 400
    assert "Send it again" in words_of(answer)


def test_what_is_no_zip_is_not_kept(erin: User) -> None:
    before = kept()
    fields = {"file": SimpleUploadedFile("folder.zip", b"no zip")}
    answer = browser(erin).post(ADDRESS, fields)
    assert "no zip that can be read" in words_of(answer)
    assert kept() == before


def test_what_holds_nothing_to_import_is_not_kept(erin: User) -> None:
    before = kept()
    client = browser(erin)
    place = sent(client, zip_of(("c.txt", "x")))
    run_imports()
    answer = client.get(place)
    assert "nothing in it to import" in words_of(answer)
    assert "trial" not in fields_of(answer)
    assert kept() == before


def test_a_zip_that_swells_while_it_is_tried_says_so(
    erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser(erin)
    place = sent(client, zip_of(("a.md", "x" * 5000)))
    monkeypatch.setattr(archives, "MAX_RATIO", 0)
    run_imports()
    assert "swells to more than" in words_of(client.get(place))


def kept() -> set[str]:
    folders = default_storage.listdir("")[0]
    return {f for folder in folders for f in default_storage.listdir(folder)[1]}


def test_what_is_no_zip_is_refused_at_its_field(erin: User) -> None:
    fields = {"file": SimpleUploadedFile("folder.zip", b"no zip")}
    answer = browser(erin).post(ADDRESS, fields)
    assert answer.status_code == 400
    assert 'id="id_file_error"' in text_of(answer)


def test_who_does_not_edit_sends_nothing(bob: User) -> None:
    fields = {"file": SimpleUploadedFile("folder.zip", DATA)}
    assert browser(bob).get(ADDRESS).status_code == 403
    assert browser(bob).post(ADDRESS, fields).status_code == 403
