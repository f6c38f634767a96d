"""An import is a job: with progress and a report, taken up after a crash, once."""

import pytest
from django.core.files.storage import default_storage

from accounts.models import ApiKey, User
from memory.models import Job
from memory.runner import JobRun
from tests.people import Api
from tests.wiki.calls import Wiki
from tests.wiki.files import attach, png
from tests.wiki.zips import (
    bring,
    imported,
    queued,
    raw,
    run_imports,
    send,
    tried,
    zip_of,
)
from wiki.importing import job as importing
from wiki.models import Attachment, Page

pytestmark = pytest.mark.django_db
NINE = zip_of(*((f"p{number}.md", f"Page {number}.\n") for number in range(9)))


@pytest.fixture
def full(wiki: Wiki) -> Wiki:
    """Return a wiki of two pages, one of them with a file."""
    wiki.save("ops/plan")
    file = attach(wiki.api, "ops/plan", png(), "Plan.png")
    wiki.save("ops/show", f"![Plan]({file['url']})\n")
    return wiki


def test_an_import_is_a_job_that_says_what_was_left_out(wiki: Wiki) -> None:
    data = zip_of(("a.md", "x"), ("b.txt", "x"), ("../c.md", "x"))

    answer = send(wiki.api, data, dry_run="false")

    assert answer.status_code == 202
    assert answer.json()["kind"] == "import_pages"
    assert wiki.slugs() == []
    run_imports()
    job = wiki.api.get(f"/jobs/{answer.json()['id']}").json()
    assert job["state"] == "done"
    assert job["counts"] == {"created": 1, "refused": 1, "skipped": 1}
    assert job["progress"]["done"] == job["progress"]["total"] == 3
    assert job["report"].splitlines() == [
        "refused: ../c.md: Its path leads out of the zip.",
        "skipped: b.txt: It is no Markdown file, and no page here links to it.",
    ]


def test_the_bytes_are_kept_until_the_end_and_no_longer(wiki: Wiki) -> None:
    queued(wiki.api, NINE)
    (job,) = Job.objects.filter(kind="import_pages")
    assert default_storage.exists(job.payload["file"])

    run_imports()

    assert not default_storage.exists(job.payload["file"])


def test_pages_are_whose_import_it_was(wiki: Wiki, erin: User) -> None:
    imported(wiki.api, NINE)

    revision = wiki.list("/history", slug="p1")["results"][0]
    assert (revision["author"], revision["origin"]) == ("erin", "import")
    assert Page.objects.filter(updated_by=erin).count() == 9


def test_it_goes_in_turns_and_counts_each_entry_once(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JobRun, "should_stop", lambda run: True)

    job = imported(
        wiki.api, zip_of(*((f"{n}.md", f"{n}") for n in range(3)), ("x", ""))
    )

    assert job["state"] == "done"
    assert job["counts"] == {"created": 3, "skipped": 1}
    assert job["report"].count("skipped") == 1


def test_pictures_of_pages_of_an_earlier_turn_come_along(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JobRun, "should_stop", lambda run: True)
    text = "![x](x.png)"

    imported(wiki.api, zip_of(("a.md", text), ("b.md", text), ("x.png", png())))

    (file,) = Attachment.objects.all()
    assert file.page
    assert file.page.slug == "a"
    for slug in ("a", "b"):
        assert wiki.read(slug)["body"] == f"![x](/media/{file.uid})"


class Killed(BaseException):
    """Ends the process where it stands."""


@pytest.mark.parametrize("at", [1, 5, 9, 10])
def test_killed_at_any_entry_it_goes_on_and_doubles_nothing(
    wiki: Wiki, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.save("ops/plan")
    attach(wiki.api, "ops/plan", png(), "Plan.png")
    wiki.save("ops/show", "Text.\n")
    data = zip_of(
        *((f"p{n}.md", f"![x](x.png) {n}") for n in range(9)), ("x.png", png())
    )
    uid = queued(wiki.api, data)
    row = Job.objects.get(uid=uid)
    seen = 0
    heartbeat = JobRun.heartbeat

    def dying(run: JobRun, *args: object, **kwargs: object) -> None:
        nonlocal seen
        seen += 1
        if seen == at:
            raise Killed
        heartbeat(run, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(JobRun, "heartbeat", dying)
    with pytest.raises(Killed):
        run_imports()
    Job.objects.filter(pk=row.pk).update(state="queued", lease_until=None)
    run_imports()

    job = wiki.api.get(f"/jobs/{uid}").json()
    assert job["state"] == "done"
    assert job["counts"] == {"unchanged": at} | (
        {"created": 10 - at} if at < 10 else {}
    )
    assert set(Page.objects.filter(slug__startswith="p").values_list("number")) == {
        (1,)
    }
    (file,) = Attachment.objects.filter(name="x.png")
    assert f"/media/{file.uid}" in wiki.read("p8")["body"]
    assert not default_storage.exists(row.payload["file"])


def test_killed_after_the_bytes_went_it_is_done(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = queued(wiki.api, NINE)
    discard = importing.storing.discard

    def dying(key: str) -> None:
        discard(key)
        raise Killed

    monkeypatch.setattr(importing.storing, "discard", dying)
    with pytest.raises(Killed):
        run_imports()
    monkeypatch.undo()
    Job.objects.filter(uid=uid).update(state="queued", lease_until=None)
    run_imports()

    assert wiki.api.get(f"/jobs/{uid}").json()["counts"] == {"created": 9}


def test_copies_of_files_keep_their_new_ids_when_it_is_done_again(wiki: Wiki) -> None:
    wiki.save("ops/plan")
    file = attach(wiki.api, "ops/plan", png(), "Plan.png")
    wiki.save("ops/show", f"![Plan]({file['url']})\n")
    data = raw(wiki.api)

    bring(wiki.api, data, under="copy")
    again = bring(wiki.api, data, under="copy")

    assert {result for result, _ in again.values()} == {"unchanged"}
    assert Attachment.objects.count() == 2


def test_who_may_not_act_any_longer_imports_nothing(wiki: Wiki, erin: User) -> None:
    uid = queued(wiki.api, NINE)
    ApiKey.objects.get(owner=erin).delete()

    run_imports()

    job = Job.objects.get(uid=uid)
    assert (job.state, Page.objects.count()) == ("failed", 0)
    assert "may not act any longer" in job.error


def test_whoever_lost_their_rights_meanwhile_is_refused(wiki: Wiki, erin: User) -> None:
    uid = queued(wiki.api, NINE)
    erin.groups.clear()

    run_imports()

    assert wiki.api.get(f"/jobs/{uid}").json()["counts"] == {"refused": 9}
    assert Page.objects.count() == 0


def test_a_retried_request_imports_once(wiki: Wiki, bob_api: Api) -> None:
    key = {"Idempotency-Key": "k1"}
    first = send(wiki.api, NINE, key, dry_run="false")
    again = send(wiki.api, NINE, key, dry_run="false")

    assert first.status_code == again.status_code == 202
    assert first.json()["id"] == again.json()["id"]
    assert again["Idempotent-Replay"] == "true"
    other = send(wiki.api, zip_of(("a.md", "x")), key, dry_run="false")
    assert other.status_code == 422
    elsewhere = send(wiki.api, NINE, key, dry_run="false", under="x")
    assert elsewhere.status_code == 422
    assert Job.objects.filter(kind="import_pages").count() == 1
    assert bob_api.get(f"/jobs/{first.json()['id']}").status_code == 404


def test_a_trial_in_turns_knows_the_pages_of_earlier_ones(
    full: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = raw(full.api)
    monkeypatch.setattr(JobRun, "should_stop", lambda run: True)

    trial = tried(full.api, data, under="copy")

    assert trial["counts"] == {"created": 3}
    assert trial["progress"]["done"] == trial["progress"]["total"] == 3
    assert full.slugs(under="copy") == []


def test_a_trial_refuses_files_of_pages_that_are_refused(
    full: Wiki, reader: Wiki
) -> None:
    trial = tried(reader.api, raw(full.api), under="copy")

    assert trial["counts"] == {"refused": 3}


def test_a_trial_names_so_many_entries_and_counts_the_rest(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "REPORTED", 4)

    trial = tried(wiki.api, NINE)

    assert trial["report"].splitlines()[-2:] == ["created: p3.md -> p3", "and 5 more"]
