"""Signing in with a password: where it leads, and how guessing is slowed down."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import AttemptWindow, AuditEntry
from tests.accounts.factories import PASSWORD, make_admin, make_user

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/login/"


def sign_in(
    client: Client,
    username: str = "alice",
    password: str = PASSWORD,
    *,
    ip: str = "192.0.2.1",
    where: str = LOGIN,
    **more: str,
) -> Any:
    data = {"username": username, "password": password, **more}
    return client.post(where, data, REMOTE_ADDR=ip)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_signing_in_and_out(client: Client) -> None:
    alice = make_user()
    assert sign_in(client).status_code == 302
    assert is_in(client)
    assert client.get("/accounts/logout/").status_code == 405
    assert is_in(client)
    client.post("/accounts/logout/")
    assert not is_in(client)
    assert AuditEntry.objects.get(action="sign_in").actor == alice


@pytest.mark.parametrize(
    ("target", "leads_to"),
    [
        ("/accounts/keys/?page=2", "/accounts/keys/?page=2"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("https:evil.example", "/"),
        ("", "/"),
    ],
)
def test_next_leads_to_own_paths_only(
    client: Client, target: str, leads_to: str
) -> None:
    make_user()
    answer = sign_in(client, next=target)
    assert (answer.status_code, answer["Location"]) == (302, leads_to)


def test_a_page_for_members_sends_to_sign_in_and_back(client: Client) -> None:
    make_user()
    answer = client.get("/accounts/keys/")
    assert answer["Location"] == f"{LOGIN}?next=/accounts/keys/"
    page = client.get(answer["Location"]).content.decode()
    assert 'name="next" value="/accounts/keys/"' in page


def test_inactive_people_stay_out(client: Client) -> None:
    make_user(is_active=False)
    sign_in(client)
    assert not is_in(client)


def test_the_answer_does_not_say_whether_the_name_exists(client: Client) -> None:
    make_user()
    wrong = sign_in(client, password="wrong").context["form"].non_field_errors()
    unknown = sign_in(client, "nobody").context["form"].non_field_errors()
    assert wrong == unknown


@pytest.mark.parametrize("where", [LOGIN, "/admin/login/"])
def test_guessing_is_stopped_with_minutes_to_wait(client: Client, where: str) -> None:
    make_admin("alice")
    for _ in range(6):
        page = sign_in(client, password="wrong", where=where).content.decode()
        assert "Too many attempts" not in page
    page = sign_in(client, where=where).content.decode()
    assert "Try again in 10 minutes" in page
    assert not is_in(client)


def test_the_stop_ends_by_itself_and_is_not_prolonged(client: Client) -> None:
    make_user()
    for _ in range(20):
        sign_in(client, password="wrong")
    for window in AttemptWindow.objects.all():
        window.started_at -= timedelta(minutes=10, seconds=1)
        window.save()
    sign_in(client)
    assert is_in(client)


def test_success_clears_the_count(client: Client) -> None:
    make_user()
    for _ in range(3):
        for _ in range(5):
            sign_in(client, password="wrong")
        assert sign_in(client).status_code == 302
        client.logout()


def test_one_address_cannot_try_many_accounts(client: Client) -> None:
    make_user()
    for number in range(30):
        sign_in(client, f"user{number}", "wrong")
    sign_in(client)
    assert not is_in(client)
    sign_in(client, ip="192.0.2.2")
    assert is_in(client)


def test_an_ipv6_household_is_one_address(client: Client) -> None:
    make_user()
    for number in range(7):
        sign_in(client, password="wrong", ip=f"2001:db8:1:2::{number}")
    sign_in(client, ip="2001:db8:1:2::99")
    assert not is_in(client)
    sign_in(client, ip="2001:db8:1:3::99")
    assert is_in(client)


def test_ipv4_clients_of_a_dual_stack_server_are_told_apart(client: Client) -> None:
    make_user()
    for _ in range(7):
        sign_in(client, password="wrong", ip="::ffff:192.0.2.1")
    sign_in(client, ip="::ffff:192.0.2.1")
    assert not is_in(client)
    sign_in(client, ip="::ffff:192.0.2.2")
    assert is_in(client)
    assert AuditEntry.objects.get(action="sign_in").ip == "192.0.2.2"


def test_a_local_socket_has_no_address(client: Client) -> None:
    make_user()
    sign_in(client, ip="")
    assert is_in(client)


def test_many_addresses_cannot_guess_at_one_account_nor_lock_its_owner_out() -> None:
    make_user()
    known = Client()
    sign_in(known, ip="198.51.100.1")
    known.post("/accounts/logout/")
    for number in range(51):
        sign_in(Client(), password="wrong", ip=f"203.0.113.{number}")
    stranger = Client()
    sign_in(stranger, ip="203.0.113.99")
    assert not is_in(stranger), "the limit over all addresses holds for strangers"
    sign_in(known, ip="198.51.100.1")
    assert is_in(known), "a browser that the owner has used is not a stranger"


def test_a_known_browser_is_known_for_its_own_account_only(client: Client) -> None:
    make_user("mallory")
    make_user("alice")
    sign_in(client, "mallory")
    client.post("/accounts/logout/")
    assert "goclaw_device" in client.cookies
    for _ in range(7):
        sign_in(client, "alice", "wrong")
    sign_in(client, "alice")
    assert not is_in(client)


def test_failures_are_audited_without_what_was_typed(client: Client) -> None:
    make_user()
    sign_in(client, "my secret password in the wrong field", "x")
    sign_in(client, "alice", "wrong")
    entries = AuditEntry.objects.filter(action="sign_in.failed")
    assert {entry.target for entry in entries} == {"", "alice"}
    assert all(entry.ip == "192.0.2.1" for entry in entries)
