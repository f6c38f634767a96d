"""One-time sign-in links."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import signin_links
from accounts.models import AuditEntry, SignInLink
from tests.accounts.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def address(user: Any) -> str:
    return f"/accounts/once/{signin_links.create(user=user)}/"


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_looking_at_a_link_does_not_use_it_up(client: Client) -> None:
    alice = make_user()
    link = address(alice)
    for _ in range(3):
        page = client.get(link)
        assert page.status_code == 200
        assert page["Referrer-Policy"] == "no-referrer"
        assert "no-store" in page["Cache-Control"]
    assert not is_in(client)
    client.post(link)
    assert client.session["_auth_user_id"] == str(alice.pk)
    assert AuditEntry.objects.get(action="sign_in.by_link").actor == alice


def test_a_link_works_once(client: Client) -> None:
    link = address(make_user())
    client.post(link)
    again = Client()
    assert again.post(link).status_code == 410
    assert again.get(link).status_code == 410
    assert not is_in(again)


@pytest.mark.django_db(transaction=True)
def test_two_at_once_let_one_in() -> None:
    link = address(make_user())
    answers: list[int] = []
    start = threading.Barrier(5)

    def use() -> None:
        start.wait()
        answers.append(Client().post(link).status_code)
        connection.close()

    threads = [threading.Thread(target=use) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [302, 410, 410, 410, 410]


def test_a_link_ends_after_a_day(client: Client) -> None:
    link = address(make_user())
    left = SignInLink.objects.get().expires_at - timezone.now()
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    SignInLink.objects.update(expires_at=timezone.now())
    assert client.post(link).status_code == 410


def test_a_newer_link_replaces_the_older(client: Client) -> None:
    alice = make_user()
    old, new = address(alice), address(alice)
    assert client.post(old).status_code == 410
    assert client.post(new).status_code == 302


def test_a_link_of_an_inactive_person_does_not_work(client: Client) -> None:
    assert client.post(address(make_user(is_active=False))).status_code == 410


def test_the_token_is_not_stored() -> None:
    token = signin_links.create(user=make_user())
    assert token not in str(SignInLink.objects.values().get())
    assert not any(token in str(row) for row in AuditEntry.objects.values())


def test_the_first_administrator_sets_a_password(client: Client) -> None:
    person = make_user()
    person.set_unusable_password()
    person.save()
    assert client.post(address(person))["Location"] == "/accounts/password/"
    new = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post("/accounts/password/", new)
    assert is_in(client), "changing the password keeps this session"
    assert Client().login(username="alice", password=PASSWORD)


def test_who_forgot_the_password_sets_a_new_one_once(client: Client) -> None:
    client.post(address(make_user()))
    other = {"new_password1": "quite another phrase", "new_password2": ""}
    other["new_password2"] = other["new_password1"]
    assert client.post("/accounts/password/", other).status_code == 302
    again = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    answer = client.post("/accounts/password/", again)
    assert "old_password" in answer.context["form"].errors
