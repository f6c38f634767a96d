"""The Django admin of the wiki: metadata, and nothing that a restricted page says."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.wiki.calls import Wiki
from wiki.models import Page, Redirect, Revision

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(admin_wiki: Wiki, admin: User) -> Any:
    admin_wiki.save("open", "Axolotl body.\n", title="Open title", summary="Seen.")
    admin_wiki.save("hr/x", "Badger body.\n", title="Hidden title", summary="Unseen.")
    admin_wiki.restrict("hr")
    admin_wiki.move("open", "opened")
    return Page.objects


@pytest.mark.parametrize("model", [Page, Revision, Redirect])
def test_lists_and_pages_show_metadata_only(
    pages: Any, admin: User, client: Client, model: Any
) -> None:
    client.force_login(admin)
    name = model._meta.model_name
    seen = client.get(reverse(f"admin:wiki_{name}_changelist"))
    assert seen.status_code == 200
    texts = [seen.content.decode()]
    for row in model.objects.all():
        one = client.get(reverse(f"admin:wiki_{name}_change", args=[row.pk]))
        assert one.status_code == 200
        texts.append(one.content.decode())
    text = " ".join(texts)
    for hidden in ("Hidden title", "Unseen.", "Axolotl body", "Badger body"):
        assert hidden not in text
    assert "opened" in text
    assert client.get(reverse(f"admin:wiki_{name}_add")).status_code == 403


def test_pages_are_searched_by_the_beginning_of_the_slug(
    pages: Any, admin: User, client: Client
) -> None:
    client.force_login(admin)
    found = client.get(reverse("admin:wiki_page_changelist"), {"q": "hr/"})
    assert "hr/x" in found.content.decode()
    assert "opened" not in found.content.decode().partition("result_list")[2]


def test_only_administrators_look(pages: Any, bob: User, client: Client) -> None:
    bob.is_staff = True
    bob.save()
    client.force_login(bob)
    assert client.get(reverse("admin:wiki_page_changelist")).status_code == 403


def test_a_redirect_can_be_taken_away(
    pages: Any, admin: User, client: Client, admin_wiki: Wiki
) -> None:
    client.force_login(admin)
    redirect = Redirect.objects.get()
    place = reverse("admin:wiki_redirect_delete", args=[redirect.pk])
    client.post(place, {"post": "yes"})
    assert admin_wiki.get("open").status_code == 404
    assert admin_wiki.read("opened")["title"] == "Open title"
