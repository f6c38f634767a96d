"""The Django admin shows decisions and items of shared spaces, and changes nothing."""

import pytest
from django.urls import reverse

from accounts.actors import actor_for_user
from memory import changes, records
from memory.drafts import Draft
from memory.models import ReviewItem, Revision

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(admin, client):
    client.force_login(admin)
    return client


def listed(web, name):
    return web.get(reverse(f"admin:memory_{name}_changelist"))


def test_items_are_listed_and_cannot_be_changed(hosts, web):
    assert "Databases" in listed(web, "reviewitem").content.decode()
    one = reverse("admin:memory_reviewitem_change", args=[hosts.pk])
    page = web.get(one)
    assert page.status_code == 200
    assert "10.0.4.12" not in page.content.decode()
    assert web.post(one, {"state": "approved"}).status_code == 403
    assert ReviewItem.objects.get().state == "pending"


def test_of_a_restricted_section_only_that_there_is_one(hosts, web, admin_wiki):
    admin_wiki.save("learned/databases", "Text.\n", title="Secret title")
    ReviewItem.objects.update(title="Secret title")
    admin_wiki.restrict("learned")
    hosts.refresh_from_db()
    one = reverse("admin:memory_reviewitem_change", args=[hosts.pk])
    for answer in (listed(web, "reviewitem"), web.get(one)):
        assert "Secret title" not in answer.content.decode()


def test_decisions_of_people_about_their_own_are_not_shown(bob, web, learn, admin):
    draft = Draft(scope="personal", content="My pin is 1.", kind="fact")
    mine = records.write(actor=actor_for_user(bob), draft=draft).memory
    changes.edit(actor=actor_for_user(bob), uid=mine.uid, changes={"title": "Pin"})
    shared = learn("The port is 5432.")
    changes.edit(actor=actor_for_user(admin), uid=shared.uid, changes={"title": "P"})
    rows = listed(web, "revision").context["cl"].result_list
    assert [row.memory for row in rows] == [shared]
    hidden = Revision.objects.get(memory=mine)
    one = reverse("admin:memory_revision_change", args=[hidden.pk])
    assert web.get(one).status_code in {302, 404}
