"""Keys, sessions and nobody: who gets in through the REST API, at which cost."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiKey
from tests.accounts.factories import PASSWORD, make_key, make_user

pytestmark = pytest.mark.django_db


def test_without_a_key_the_answer_says_how(call: Any) -> None:
    answer = call(None)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["error"]["code"] == "unauthenticated"


@pytest.mark.parametrize(
    "header", ["Bearer gck_wrong", "Bearer ", "Bearer", "bearer gck_ö", "Basic YTpi"]
)
def test_a_wrong_key_is_refused(header: str) -> None:
    answer = APIClient().get("/api/me", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_wrong_key_is_refused_even_beside_a_session() -> None:
    client = APIClient()
    client.force_login(make_user())
    answer = client.get("/api/me", headers={"Authorization": "Bearer gck_wrong"})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"revoked_at": timezone.now()}, "revoked"),
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "expired"),
    ],
)
def test_an_ended_key_is_refused(call: Any, change: dict[str, Any], word: str) -> None:
    key, secret = make_key(make_user())
    assert call(secret).status_code == 200
    ApiKey.objects.filter(pk=key.pk).update(**change)
    answer = call(secret)
    assert answer.status_code == 401
    assert word in answer.json()["error"]["message"]


def test_a_key_ends_with_its_owners_account(call: Any) -> None:
    alice = make_user()
    _, secret = make_key(alice)
    alice.is_active = False
    alice.save()
    assert call(secret).status_code == 401


def test_the_secret_is_not_stored() -> None:
    key, secret = make_key(make_user())
    stored = ApiKey.objects.filter(pk=key.pk).values().get()
    assert secret not in str(stored)
    assert stored["prefix"] == secret[:8]
    assert len(secret) >= 47


def test_use_is_noted_at_most_once_a_minute(call: Any) -> None:
    key, secret = make_key(make_user())
    call(secret)
    key.refresh_from_db()
    noted = key.last_used_at
    assert noted is not None
    call(secret)
    key.refresh_from_db()
    assert key.last_used_at == noted
    ApiKey.objects.update(last_used_at=noted - timedelta(seconds=61))
    call(secret)
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert key.last_used_at >= noted


def test_queries_of_a_request(call: Any, django_assert_num_queries: Any) -> None:
    """Key, owner, and roles; and the person, when it is another one."""
    writers = Group.objects.create(name="writers")
    alice, olga = make_user("alice"), make_user("olga")
    writers.user_set.set([alice, olga])
    _, secret = make_key(olga, may_act_for_others=True)
    call(secret)  # notes the use
    roles_of_the_answer = 1
    with django_assert_num_queries(3 + roles_of_the_answer):
        call(secret)
    with django_assert_num_queries(4 + roles_of_the_answer):
        call(secret, **{"X-GoClaw-User": "alice"})


def test_a_visitor_costs_no_query(
    client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        client.get("/accounts/login/")


def test_the_browser_acts_as_a_person_in_a_direct_conversation() -> None:
    client = APIClient()
    client.force_login(make_user(timezone="Europe/Berlin"))
    # The headers of keys mean nothing here.
    me = client.get("/api/me", headers={"X-GoClaw-User": "root"}).json()
    assert me == {
        "username": "alice",
        "is_admin": False,
        "roles": [],
        "timezone": "Europe/Berlin",
        "run": "human",
        "conversation": "direct",
        "key": None,
    }


def test_a_session_needs_csrf_to_write() -> None:
    client = APIClient(enforce_csrf_checks=True)
    make_user()
    client.login(username="alice", password=PASSWORD)
    answer = client.post("/api/keys", {"label": "mine"}, format="json")
    assert answer.status_code == 403
    assert ApiKey.objects.count() == 0


def test_a_key_needs_no_csrf_token() -> None:
    _, secret = make_key(make_user())
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    answer = client.post("/api/keys", {"label": "mine"}, format="json")
    assert answer.status_code == 201, answer.json()
