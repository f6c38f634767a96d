"""Approve, edit, reject, skip, undo: drafts of pages, over the API."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from goclaw.lib import config
from memory.models import ReviewItem
from tests.people import api_for, make_user
from tests.review.conftest import reply, reviewer_of, said
from tests.wiki.calls import Wiki
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db

SLUG = "learned/databases"


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
def published(hosts, editor, wiki):
    """Return the item of an approved draft."""
    return editor.approve(editor.only())


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


# --- who -----------------------------------------------------------------------------
def test_for_strangers_there_is_nothing(hosts, editor, stranger, bob_api):
    item = editor.only()
    assert stranger.queue() == []
    assert stranger.get(f"/{item['id']}").status_code == 404
    for verb in ("approve", "reject", "skip", "undo"):
        assert stranger.decide(item, verb).status_code == 404
        assert (
            bob_api.post(
                f"/review/items/{item['id']}/{verb}",
                {"content_hash": item["content_hash"]} if verb == "approve" else {},
            ).status_code
            == 404
        )
    counts = stranger.get().json()["counts"]
    assert counts["pending"] == 0


def test_keys_look_and_never_decide(hosts, editor, erin):
    item = editor.only()
    api = api_for(erin)
    assert api.get("/review/items").json()["results"][0]["id"] == item["id"]
    shown = {"content_hash": item["content_hash"], "base_revision": 0}
    for verb in ("approve", "reject", "skip", "undo"):
        answer = api.post(f"/review/items/{item['id']}/{verb}", shown)
        assert code_of(answer) == (403, "forbidden"), verb
    assert ReviewItem.objects.get().state == "pending"


@pytest.mark.parametrize("run", ["sop", "cron", "webhook"])
def test_autonomous_runs_do_not_even_look(hosts, admin, editor, run):
    api = api_for(admin, run=run)
    assert api.get("/review/items").json()["results"] == []
    item = editor.only()
    assert api.get(f"/review/items/{item['id']}").status_code == 404


def test_a_shared_conversation_does_not_look(hosts, admin):
    api = api_for(admin)
    api.headers["X-GoClaw-Conversation"] = "shared"
    assert api.get("/review/items").json()["results"] == []


@pytest.mark.usefixtures("admin")
def test_a_restricted_section_is_reviewed_by_its_own(learn, distil, editor, admin_wiki):
    zoe = make_user("zoe")
    admin_wiki.restrict("learned", readers=[], writers=["zoe"])
    learn("The port is 5432.")
    distil(reply(said("Ports", ("The port is 5432.", ["F1"]))))
    assert editor.queue() == []
    item = reviewer_of(zoe).only()
    assert editor.get(f"/{item['id']}").status_code == 404
    reviewer_of(zoe).approve(item)


def test_what_waits_goes_along_into_a_restricted_section_and_out_again(
    published, editor, learn, distil, admin_wiki, wiki
):
    learn("The port is 5432.")
    distil(reply(said("Hosts", ("The port is 5432.", ["F1"]))))
    learn("Deploys are on Tuesdays.", domain="deploys")
    distil(reply(said("D", ("Deploys are on Tuesdays.", ["F1"]))), domain="deploys")
    make_user("zoe")
    assert len(editor.queue()) == 2
    admin_wiki.restrict("learned", readers=[], writers=["zoe"])
    assert editor.queue() == []
    assert editor.get(f"/{published['id']}").status_code == 404
    admin_wiki.lift("learned")
    assert len(editor.queue()) == 2
    assert ReviewItem.objects.count() == 3


# --- what agents write, by a setting -------------------------------------------------
@pytest.fixture
def reviewed(settings):
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"review_autonomous": True}
    config.reset()


def test_by_default_autonomous_runs_write_pages_themselves(cron_api, wiki):
    assert Wiki(cron_api).post("ops/report").status_code == 201
    assert wiki.read("ops/report")["revision"] == 1


def test_what_autonomous_runs_write_waits_by_a_setting(
    reviewed, cron_api, editor, wiki, admin_api
):
    agent = Wiki(cron_api)
    wiki.save("ops/report", "Old.\n")
    answer = agent.post("ops/report", "New.\n", base_revision=1)
    assert answer.status_code == 202
    assert answer.json()["state"] == "pending"
    assert wiki.read("ops/report")["body"] == "Old.\n"
    assert agent.post("ops/report", "New.\n").json()["id"] == answer.json()["id"]
    item = editor.only()
    assert (item["via"], item["agent"]) == ("wiki_write", "admin")
    editor.approve(item)
    page = wiki.read("ops/report")
    assert page["body"] == "New.\n"
    (newest, _) = wiki.list("/history", slug="ops/report")["results"]
    assert (newest["origin"], newest["author"]) == ("agent", "erin")
    assert code_of(agent.post("ops/report", "New.\n")) == (409, "nothing_new")
    # People and their own agents go on as before.
    assert Wiki(admin_api).post("ops/mine").status_code == 201


def test_what_an_agent_wrote_and_somebody_refused_does_not_come_back(
    reviewed, cron_api, editor
):
    agent = Wiki(cron_api)
    agent.post("ops/report", "Spam.\n")
    editor.decide(editor.only(), "reject", reason="Spam.")
    answer = agent.post("ops/report", "Spam.\n")
    assert code_of(answer) == (409, "nothing_new")
    assert "Spam." in answer.json()["error"]["message"]
    assert editor.queue() == []


def test_the_tool_proposes_as_well(reviewed, cron_api, editor):
    said_ = cron_api.post("/tools/wiki_write", {"slug": "ops/x", "body": "X.\n"})
    assert said_.status_code == 200, said_.json()
    assert "approves it" in str(said_.json())
    assert editor.only()["slug"] == "ops/x"


def test_an_agent_hides_nothing_in_a_proposal(reviewed, cron_api):
    answer = Wiki(cron_api).post("ops/x", "Text\u202e.\n")
    assert code_of(answer) == (400, "hidden_characters")
