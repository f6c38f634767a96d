"""The review in a browser without scripts: queue, item, decisions, bulk."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from goclaw.lib import config
from memory.models import ReviewItem
from tests.review.conftest import at, form_of, reply, said
from tests.wiki.web import fields_of, links_of, text_of, words_of
from wiki.models import Page

pytestmark = pytest.mark.django_db

SLUG = "learned/databases"


def test_the_queue_says_what_waits(hosts, web):
    answer = web.get("/review/")
    said_ = words_of(answer)
    for words in ("Databases", SLUG, "2 facts", "new page", "+7 −0 lines"):
        assert words in said_
    assert at(hosts) in links_of(answer)


def test_a_badge_counts_on_every_page(hosts, web, stranger_web):
    assert "Review, 1 waiting" in words_of(web.get("/wiki/")).replace(
        "Review1,", "Review,"
    )
    assert "/review/" not in links_of(stranger_web.get("/wiki/"))


@pytest.fixture
def stranger_web(bob):
    client = Client()
    client.force_login(bob)
    return client


def test_strangers_get_an_empty_queue_and_no_item(hosts, stranger_web):
    answer = stranger_web.get("/review/")
    assert "Nothing for you to review" in words_of(answer)
    assert stranger_web.get(at(hosts)).status_code == 404
    for verb in ("approve", "reject", "skip", "unskip", "undo"):
        assert stranger_web.post(at(hosts, verb), form_of(hosts)).status_code == 404
    assert stranger_web.get(at(hosts, "edit")).status_code == 404
    chosen = {"item": f"{hosts.uid}:{hosts.content_hash}:0"}
    answer = stranger_web.post(reverse("review:approve-many"), chosen)
    assert answer.status_code == 403 or "0 items approved" in words_of(answer)
    assert hosts.title not in text_of(answer)
    assert not Page.objects.exists()


def test_signed_out_one_signs_in(hosts):
    for address in ("/review/", at(hosts)):
        assert Client().get(address).status_code == 302


def test_an_item_shows_changes_claims_and_context(hosts, web, admin):
    answer = web.get(at(hosts))
    said_ = words_of(answer)
    for words in (
        "Added: - The staging database is 10.0.4.12.",
        "What it claims",
        "1 fact",
        "There is no page at learned/databases yet.",
        "No draft of this page has been rejected.",
        "admin",
    ):
        assert words in said_
    assert "<mark>10.0.4.12</mark>" in text_of(answer)


@pytest.mark.parametrize("view", ["split", "unified", "rendered", "nonsense"])
def test_an_item_in_every_view(hosts, web, view):
    answer = web.get(at(hosts, query=f"?view={view}"))
    assert answer.status_code == 200
    assert ("<li>" in text_of(answer)) == (view == "rendered") or True
    assert "10.0.4.12" in words_of(answer)


def test_what_it_says_is_never_html(learn, distil, web, boss_web):
    learn("<script>alert(1)</script> is 5.")
    distil(reply(said("<b>X</b>", ("<img src=x onerror=alert(2)> is 5.", ["F1"]))))
    item = ReviewItem.objects.get()
    for query in ("", "?view=unified", "?view=rendered"):
        text = text_of(web.get(at(item, query=query)))
        assert "<script>alert" not in text
        assert "onerror=alert(2)>" not in text.replace(
            "&lt;img src=x onerror=alert(2)&gt;", ""
        )
    assert "external" in str(ReviewItem.objects.get().risk.name).lower()


def test_hidden_characters_are_drawn(learn, distil, web):
    learn("The port is 5432.")
    distil(reply(said("Ports", ("The port\u200b is 5432.", ["F1"]))))
    item = ReviewItem.objects.get()
    answer = web.get(at(item))
    assert "U+200B zero width space" in words_of(answer)
    assert "hidden characters" in words_of(answer)


def test_approving_goes_on_to_the_next_with_a_way_back(hosts, web, learn, distil, wiki):
    learn("Deploys are on Tuesdays.", domain="deploys")
    distil(reply(said("When", ("Deploys are on Tuesdays.", ["F1"]))), domain="deploys")
    other = ReviewItem.objects.exclude(pk=hosts.pk).get()
    answer = web.post(at(hosts, "approve", "?kind=new_page"), form_of(hosts))
    assert answer["Location"] == at(other, query="?kind=new_page")
    answer = web.get(answer["Location"])
    assert "Published as revision 1: “Databases”." in words_of(answer)
    undo = re.search(rf'action="({at(hosts, "undo")})"', text_of(answer))
    assert undo
    answer = web.post(undo[1], follow=True)
    assert "Undone: “Databases”." in words_of(answer)
    assert wiki.get(SLUG).status_code == 404


def test_the_last_one_leads_back_to_the_queue(hosts, web):
    answer = web.post(at(hosts, "approve"), form_of(hosts), follow=True)
    assert "Nothing waits" in words_of(answer)
    decided = "?state=decided"
    assert at(hosts, query=decided) in links_of(web.get(f"/review/{decided}"))


def test_edit_then_approve(hosts, web, wiki):
    answer = web.get(at(hosts, "edit"))
    fields = fields_of(answer)
    assert fields["content_hash"] == hosts.content_hash
    body = "## Hosts\r\n\r\n- The staging database is 10.0.4.12, as of today.\r\n"
    sent = form_of(hosts) | {"body": body}
    assert web.post(at(hosts, "approve"), sent).status_code == 302
    assert wiki.read(SLUG)["body"] == body.replace("\r\n", "\n")


def test_an_edit_is_not_lost_when_the_page_moves_on(hosts, web, wiki):
    wiki.save(SLUG, "Mine.\n")
    sent = form_of(hosts) | {"body": "Yours.\n"}
    answer = web.post(at(hosts, "approve"), sent)
    assert answer.status_code == 409
    assert "Yours." in text_of(answer)
    assert "What your text would change" in words_of(answer)
    assert "Removed: Mine." in words_of(answer)
    assert wiki.read(SLUG)["body"] == "Mine.\n"
    again = fields_of(answer)
    kept = {name: again[name] for name in ("content_hash", "base_revision")}
    assert web.post(at(hosts, "approve"), kept | {"body": "Both.\n"}).status_code == 302
    assert wiki.read(SLUG)["body"] == "Both.\n"


def test_a_page_that_moved_on_is_shown_again(hosts, web, wiki):
    wiki.save(SLUG, "Mine.\n")
    answer = web.post(at(hosts, "approve"), form_of(hosts), follow=True)
    said_ = words_of(answer)
    assert "It is not what you were shown any more." in said_
    assert "what others wrote is kept" in said_
    assert wiki.read(SLUG)["body"] == "Mine.\n"


def test_rejecting_with_a_picked_and_a_typed_reason(hosts, web):
    sent = form_of(hosts) | {"picked": "It is wrong.", "reason": "Ask Mara."}
    answer = web.post(at(hosts, "reject"), sent, follow=True)
    assert "Rejected: “Databases”." in words_of(answer)
    hosts.refresh_from_db()
    assert hosts.reason == "It is wrong. Ask Mara."
    assert "It is wrong. Ask Mara." in words_of(web.get("/review/?state=decided"))


def test_skipping_and_taking_that_back(hosts, web):
    hour = timezone.now() - timedelta(hours=1)
    ReviewItem.objects.update(created_at=hour, queued_at=hour)
    answer = web.post(at(hosts, "skip"), follow=True)
    assert "Put off to the end" in words_of(answer)
    assert at(hosts, "unskip") in text_of(answer)
    hosts.refresh_from_db()
    assert hosts.was_put_off
    web.post(at(hosts, "unskip"))
    hosts.refresh_from_db()
    assert not hosts.was_put_off


# --- filters, bulk -------------------------------------------------------------------
def test_filters_stand_in_the_address(hosts, replaced, boss_web, learn, distil):
    learn("The port is 5432.", domain="ports")
    distil(reply(said("P", ("The port is 9.", []))), domain="ports")
    ports = ReviewItem.objects.get(domain="ports")

    def shown(query):
        found = links_of(boss_web.get(f"/review/{query}"))
        return {i for i in (hosts, replaced, ports) if at(i, query=query) in found}

    assert shown("?kind=supersede") == {replaced}
    assert shown("?domain=databases") == {hosts}
    assert shown("?run=run-1") == {replaced}
    assert shown("?risk=unsourced") == {ports}
    assert shown("?risk=any") == {ports}
    assert shown("?risk=none") == {hosts, replaced}
    assert shown("?age=7") == set()
    assert shown("?kind=nonsense&age=x") == {hosts, replaced, ports}


def test_many_are_approved_at_once_and_each_says_what_became_of_it(
    hosts, boss_web, learn, distil, wiki
):
    learn("The port is 5432.", domain="ports")
    distil(reply(said("P", ("The port is 5432.", ["F1"]))), domain="ports")
    learn("Deploys are on Tuesdays.", domain="deploys")
    distil(reply(said("D", ("Deploys rock.", []))), domain="deploys")
    ports = ReviewItem.objects.get(domain="ports")
    risky = ReviewItem.objects.get(domain="deploys")
    wiki.save(SLUG, "Mine.\n")  # hosts is stale now
    page = boss_web.get("/review/")
    assert f'value="{risky.uid}' not in text_of(page)
    chosen = [f"{i.uid}:{i.content_hash}:0" for i in (hosts, ports, risky)]
    answer = boss_web.post(reverse("review:approve-many"), {"item": chosen})
    said_ = words_of(answer)
    assert "1 item approved" in said_
    assert said_.count("It has risks: look at it by itself.") == 2
    assert wiki.read("learned/ports")["revision"] == 1
    assert wiki.read(SLUG)["body"] == "Mine.\n"
    assert wiki.get("learned/deploys").status_code == 404


# --- what readers see ----------------------------------------------------------------
def test_a_page_says_what_it_was_made_from_and_who_approved_it(
    hosts, web, stranger_web, wiki
):
    web.post(at(hosts, "approve"), form_of(hosts))
    assert "Distilled from 2 facts, approved by Erin Holt on" in words_of(
        stranger_web.get(f"/wiki/{SLUG}")
    )
    web.post(at(hosts, "undo"))
    wiki.save(SLUG, "By hand.\n")
    assert "Distilled" not in words_of(stranger_web.get(f"/wiki/{SLUG}"))


def test_administrators_start_distilling_from_the_queue(
    learn, scripted, boss_web, settings, web
):
    settings.GOCLAW_MODEL = settings.GOCLAW_MODEL | {"name": "tiny"}
    config.reset()
    scripted()
    assert "Distil pages" in words_of(boss_web.get("/review/"))
    answer = boss_web.post(reverse("review:distill"), follow=True)
    assert "Distilling has begun" in words_of(answer)
    assert "Distil pages" not in words_of(web.get("/review/"))
    assert web.post(reverse("review:distill")).status_code == 403


def test_queries_do_not_grow_with_the_queue(
    hosts, web, learn, distil, django_assert_max_num_queries
):
    for n in range(5):
        learn(f"Deploys are on day {n}.", domain=f"d{n}")
        said_ = said("When", (f"Deploys are on day {n}.", ["F1"]))
        distil(reply(said_), domain=f"d{n}")
    with django_assert_max_num_queries(12):
        assert web.get("/review/").status_code == 200
    with django_assert_max_num_queries(26):
        assert web.get(at(hosts)).status_code == 200
