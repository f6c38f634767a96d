"""Approve, edit, reject, skip, undo: drafts of pages, over the API."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from memory.models import ReviewItem
from tests.review.conftest import code_of, reply, reviewer_of, said
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db

SLUG = "learned/databases"


# --- approve -------------------------------------------------------------------------
def test_an_approved_draft_is_the_page(hosts, editor, wiki, bob_api, admin_api):
    shown = editor.only()
    item = editor.approve(shown)
    assert (item["state"], item["decided_by"]) == ("approved", "erin")
    assert item["page"]["published_revision"] == 1
    page = wiki.read(SLUG)
    assert page["body"] == shown["page"]["body"]
    assert page["title"] == "Databases"
    (row,) = wiki.list("/history", slug=SLUG)["results"]
    assert (row["author"], row["origin"]) == ("erin", "distill")
    assert row["summary"] == "Distilled from 2 facts, approved"
    assert editor.queue() == []
    hits = bob_api.search("staging database", scopes=["wiki"])
    assert [hit["path"] for hit in hits] == [SLUG]


def test_what_the_reviewer_has_made_of_it_is_published(hosts, editor, wiki):
    item = editor.only()
    body = item["page"]["body"].replace("Backups run at", "Nightly backups run at")
    item = editor.approve(item, body=body, reason="Said more plainly.")
    assert item["reason"] == "Said more plainly."
    assert wiki.read(SLUG)["body"] == body
    assert [claim["status"] for claim in item["claims"]] == ["sourced", "edited"]
    assert item["claims"][1]["facts"], "it has the records of what it replaced"


@pytest.mark.parametrize(
    "seen",
    [
        {"content_hash": "0" * 64},
        {"content_hash": ""},
        {"base_revision": 1},
    ],
)
def test_only_what_was_shown_can_be_approved(hosts, editor, seen):
    item = editor.only()
    answer = editor.decide(item, "approve", **seen)
    assert code_of(answer) == (409, "review_moved")
    assert answer.json()["error"]["content_hash"] == item["content_hash"]
    assert not Page.objects.exists()


def test_an_approval_needs_a_hash(hosts, editor):
    answer = editor.post(f"/{editor.only()['id']}/approve")
    assert code_of(answer) == (400, "invalid")


def test_a_page_that_moved_on_is_shown_again(published, editor, wiki, learn, distil):
    learn("The port is 5432.")
    distil(reply(said("Hosts", ("The port is 5432.", ["F1"]))))
    shown = editor.only()
    body = wiki.read(SLUG)["body"]
    wiki.save(SLUG, f"Read this first.\n\n{body}", base_revision=1)
    answer = editor.decide(shown, "approve")
    assert code_of(answer) == (409, "review_moved")
    assert answer.json()["error"]["base_revision"] == 2
    assert wiki.read(SLUG)["revision"] == 2
    again = editor.only()
    assert again["id"] == shown["id"]
    assert again["risks"] == ["stale-base"]
    assert (again["base_revision"], again["added"], again["removed"]) == (2, 1, 0)
    editor.approve(again)
    now = wiki.read(SLUG)
    assert now["revision"] == 3
    assert now["body"].startswith("Read this first.\n")
    assert "- The port is 5432.\n" in now["body"]


def test_changes_of_the_same_lines_stay_as_people_wrote_them(
    published, editor, wiki, learn, distil, admin
):
    learn("The port is 5432.")
    distil(reply(said("Backups", ("The port is 5432.", ["F1"]))))
    wiki.save(SLUG, "## Backups\n\n- Never.\n", base_revision=1)
    item = editor.only()
    assert item["risks"] == ["stale-base"]
    assert item["page"]["body"] == "## Backups\n\n- Never.\n- The port is 5432.\n"


def test_a_page_that_was_made_meanwhile_is_not_overwritten(hosts, editor, wiki):
    shown = editor.only()
    wiki.save(SLUG, "Mine.\n", title="My databases")
    assert code_of(editor.decide(shown, "approve")) == (409, "review_moved")
    item = editor.only()
    assert (item["kind"], item["base_revision"]) == ("edit_page", 1)
    assert item["removed"] == 0
    editor.approve(item)
    page = wiki.read(SLUG)
    assert page["title"] == "My databases"
    assert page["body"].startswith("Mine.\n\n## Hosts\n")


def test_a_page_that_was_deleted_meanwhile_is_a_new_one(
    published, editor, wiki, learn, distil
):
    learn("The port is 5432.")
    distil(reply(said("Hosts", ("The port is 5432.", ["F1"]))))
    shown = editor.only()
    wiki.delete(SLUG)
    assert code_of(editor.decide(shown, "approve")) == (409, "review_moved")
    item = editor.only()
    assert (item["kind"], item["base_revision"]) == ("new_page", 0)
    editor.approve(item)
    assert "5432" in wiki.read(SLUG)["body"]


def test_a_draft_follows_its_page(published, editor, wiki, learn, distil):
    learn("The port is 5432.")
    distil(reply(said("Hosts", ("The port is 5432.", ["F1"]))))
    wiki.move(SLUG, "ops/databases")
    item = editor.only()
    assert item["slug"] == "ops/databases"
    editor.approve(item)
    assert "5432" in wiki.read("ops/databases")["body"]


def test_a_draft_of_what_the_page_says_by_now_is_outdated(hosts, editor, wiki):
    item = editor.only()
    wiki.save(SLUG, item["page"]["body"], title=item["title"])
    assert editor.get(f"/{item['id']}").json()["state"] == "outdated"
    assert editor.queue() == []


def test_nobody_decides_twice(hosts, editor, boss):
    item = editor.only()
    editor.approve(item)
    for verb in ("approve", "reject", "skip"):
        answer = boss.decide(item, verb)
        assert code_of(answer) == (409, "review_decided"), verb


@pytest.mark.django_db(transaction=True)
def test_of_reviewers_at_once_one_publishes(hosts, editor, admin):
    item = editor.only()
    people = [editor, reviewer_of(admin)] * 3

    def approve(person):
        try:
            return person.decide(item, "approve").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        codes = sorted(pool.map(approve, people))
    assert codes == [200, 409, 409, 409, 409, 409]
    assert Revision.objects.count() == 1


# --- reject, skip --------------------------------------------------------------------
def test_a_rejection_keeps_its_reason(hosts, editor):
    item = editor.only()
    answer = editor.decide(item, "reject", reason="Hosts belong elsewhere.").json()
    assert (answer["state"], answer["reason"]) == (
        "rejected",
        "Hosts belong elsewhere.",
    )
    assert not Page.objects.exists()
    (row,) = editor.queue(state="decided")
    assert row["decided_by"] == "erin"


def test_what_is_put_off_comes_last(hosts, editor, learn, distil):
    learn("Deploys are on Tuesdays.", domain="deploys")
    distil(reply(said("When", ("Deploys are on Tuesdays.", ["F1"]))), domain="deploys")
    first, second = (row["id"] for row in editor.queue())
    hour = timezone.now() - timedelta(hours=1)
    ReviewItem.objects.filter(uid=first).update(created_at=hour, queued_at=hour)
    assert editor.post(f"/{first}/skip").status_code == 200
    assert [row["id"] for row in editor.queue()] == [second, first]
    assert editor.post(f"/{first}/undo").status_code == 200
    assert [row["id"] for row in editor.queue()] == [first, second]


# --- undo ----------------------------------------------------------------------------
def test_undoing_a_new_page_puts_it_into_the_trash(published, editor, wiki):
    answer = editor.post(f"/{published['id']}/undo")
    assert answer.json()["state"] == "undone"
    assert wiki.get(SLUG).status_code == 404
    (deleted,) = wiki.list("/trash")["results"]
    assert deleted["slug"] == SLUG
    assert code_of(editor.post(f"/{published['id']}/undo")) == (
        409,
        "review_not_undoable",
    )


def test_undoing_an_edit_is_a_new_revision(published, editor, wiki, learn, distil):
    learn("The port is 5432.")
    distil(reply(said("Hosts", ("The port is 5432.", ["F1"]))))
    item = editor.approve(editor.only())
    before, after = published["page"]["body"], item["page"]["body"]
    wiki.save(SLUG, f"{after}\nMore by hand.\n", base_revision=2)
    assert editor.post(f"/{item['id']}/undo").status_code == 200
    page = wiki.read(SLUG)
    assert page["revision"] == 4
    assert page["body"] == f"{before}\nMore by hand.\n"
    assert distil().asked == []  # what was undone does not come back


def test_a_page_that_others_have_edited_is_not_undone(published, editor, wiki):
    wiki.save(SLUG, "Mine.\n", base_revision=1)
    answer = editor.post(f"/{published['id']}/undo")
    assert code_of(answer) == (409, "edit_conflict")
    assert wiki.read(SLUG)["body"] == "Mine.\n"
    assert editor.get(f"/{published['id']}").json()["state"] == "approved"


def test_undoing_a_rejection_lets_it_wait_again(hosts, editor):
    item = editor.only()
    editor.decide(item, "reject", reason="No.")
    assert editor.post(f"/{item['id']}/undo").json()["state"] == "pending"
    editor.approve(editor.only())


def test_a_rejection_is_not_undone_beside_a_newer_draft(hosts, editor, learn, distil):
    item = editor.only()
    editor.decide(item, "reject")
    learn("The port is 5432.")
    distil(reply(said("Ports", ("The port is 5432.", ["F3"]))))
    assert code_of(editor.post(f"/{item['id']}/undo")) == (409, "review_not_undoable")
