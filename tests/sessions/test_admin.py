"""The admin shows that shared sessions are there, and nothing that is said."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from memory.models import Session
from tests.sessions.talking import acting_for, gateway, opened, say

SECRETS = ("Quarterly title", "the pass phrase", "blue whale")


def test_shared_sessions_are_listed_without_a_word_of_them(
    client: Client, admin: User, alice: User
) -> None:
    house = gateway(admin)
    for kind in ("direct", "shared"):
        api = acting_for(house, alice, kind)
        place = opened(api, title=SECRETS[0], variables={"word": SECRETS[1]})
        say(api, place, SECRETS[2])
    Session.objects.update(summary="blue whale")
    shared = Session.objects.get(kind="shared")
    direct = Session.objects.get(kind="direct")
    client.force_login(admin)

    listed = client.get(reverse("admin:memory_session_changelist"))
    opened_page = client.get(reverse("admin:memory_session_change", args=[shared.pk]))

    assert str(shared.uid) in listed.content.decode()
    assert str(direct.uid) not in listed.content.decode()
    assert opened_page.status_code == 200
    for page in (listed, opened_page):
        assert not [word for word in SECRETS if word in page.content.decode()]
    hidden = client.get(reverse("admin:memory_session_change", args=[direct.pk]))
    assert hidden.status_code == 302  # as for one that is not there


@pytest.mark.django_db
def test_sessions_are_for_administrators_to_look_at(
    client: Client, admin: User, alice: User
) -> None:
    client.force_login(alice)
    place = reverse("admin:memory_session_changelist")
    assert client.get(place).status_code in {302, 403}
    client.force_login(admin)
    assert client.get(reverse("admin:memory_session_add")).status_code == 403
