"""Who sees what waits and who decides: strangers, keys, runs, sections."""

import pytest

from memory.models import ReviewItem
from tests.people import api_for, make_user
from tests.review.conftest import code_of, reply, reviewer_of, said

pytestmark = pytest.mark.django_db


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
