"""Profile, password and key pages in the browser."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiKey, AuditEntry, Identity, User
from tests.accounts.factories import (
    EVERY_RUN,
    PASSWORD,
    make_admin,
    make_key,
    make_user,
)

pytestmark = pytest.mark.django_db

PAGES = ["/accounts/profile/", "/accounts/password/", "/accounts/keys/"]


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.mark.parametrize("page", PAGES)
def test_strangers_are_sent_to_sign_in(client: Client, page: str) -> None:
    assert client.get(page)["Location"] == f"/accounts/login/?next={page}"


@pytest.mark.parametrize("page", [*PAGES, "/accounts/login/", "/accounts/once/x/"])
def test_pages_need_no_inline_script_or_style(browser: Client, page: str) -> None:
    answer = browser.get(page)
    html = answer.content.decode()
    assert "<style" not in html
    assert " style=" not in html
    assert " onclick=" not in html
    assert html.count("<script") == html.count("<script type=") + html.count(
        "<script src="
    )
    assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_the_profile_page_saves_the_time_zone(browser: Client, alice: User) -> None:
    data = {
        "first_name": "Alice",
        "last_name": "",
        "email": "",
        "timezone": "Asia/Tokyo",
    }
    assert browser.post("/accounts/profile/", data).status_code == 302
    alice.refresh_from_db()
    assert (alice.first_name, alice.timezone) == ("Alice", "Asia/Tokyo")
    data["timezone"] = "Mars/Olympus"
    page = browser.post("/accounts/profile/", data)
    assert "timezone" in page.context["form"].errors


def test_times_are_shown_in_the_persons_zone(browser: Client, alice: User) -> None:
    key, _ = make_key(alice)
    noon = timezone.now().replace(2026, 7, 1, 12, 0, 0, 0)
    ApiKey.objects.filter(pk=key.pk).update(last_used_at=noon)
    User.objects.update(timezone="Asia/Tokyo")
    assert "2026-07-01 21:00" in browser.get("/accounts/keys/").content.decode()


def test_a_person_sees_their_own_identities(browser: Client, alice: User) -> None:
    for user, sender in ((alice, "al:ice"), (make_user("bob"), "bob")):
        Identity.objects.create(
            user=user, channel="matrix", account="bot", sender=sender
        )
    page = browser.get("/accounts/profile/").content.decode()
    assert "matrix:bot:al:ice" in page
    assert "matrix:bot:bob" not in page


def test_changing_the_password_needs_the_old_one(browser: Client) -> None:
    new = "quite another phrase"
    data = {"old_password": "wrong", "new_password1": new, "new_password2": new}
    page = browser.post("/accounts/password/", data)
    assert "old_password" in page.context["form"].errors
    data["old_password"] = PASSWORD
    assert browser.post("/accounts/password/", data).status_code == 302
    assert Client().login(username="alice", password=new)
    assert AuditEntry.objects.filter(action="password.change").count() == 1


def test_a_new_key_is_shown_once_and_works(
    browser: Client, alice: User, call: Any
) -> None:
    asked = {"label": "my agent", "expires_in": "30"}
    made = browser.post("/accounts/keys/", asked)
    page = browser.get(made["Location"])
    assert "no-store" in page["Cache-Control"]
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert call(secret).json()["username"] == "alice"
    key = alice.api_keys.get()
    assert secret not in made["Location"] + made.content.decode()
    assert key.expires_at is not None
    assert (key.expires_at - timezone.now()).days in (29, 30)
    again = browser.get(made["Location"], follow=True).content.decode()
    assert "A secret is shown once" in again
    assert secret not in again
    assert key.prefix in again
    assert alice.api_keys.count() == 1
    assert "new_secret" not in browser.session


def test_a_secret_waits_for_the_browser_that_asked(browser: Client) -> None:
    made = browser.post("/accounts/keys/", {"label": "mine", "expires_in": "30"})
    page = made["Location"]
    elsewhere = Client()
    assert elsewhere.get(page)["Location"].startswith("/accounts/login/")
    elsewhere.force_login(make_user("bob"))
    assert elsewhere.get(page).status_code == 404
    assert browser.head(page).status_code == 302
    assert browser.get(page).context["secret"]


def test_options_beyond_chat_are_for_administrators(
    browser: Client, client: Client, alice: User
) -> None:
    asked = {
        "label": "gateway",
        "expires_in": "0",
        "runs": EVERY_RUN,
        "may_act_for_others": "on",
        "may_write_db_cache": "on",
    }
    assert "may_act_for_others" not in browser.get("/accounts/keys/").context["form"]
    browser.post("/accounts/keys/", asked)
    plain = alice.api_keys.get()
    assert (plain.runs, plain.may_act_for_others, plain.may_write_db_cache) == (
        ["chat"],
        False,
        False,
    )
    root = make_admin("root")
    client.force_login(root)
    client.post("/accounts/keys/", asked)
    full = root.api_keys.get()
    assert (full.runs, full.may_act_for_others, full.expires_at) == (
        EVERY_RUN,
        True,
        None,
    )


def test_a_refusal_is_shown_on_the_form(client: Client) -> None:
    client.force_login(make_admin("root"))
    asked = {"label": "x", "expires_in": "0", "runs": "chat", "auto_provision": "on"}
    page = client.post("/accounts/keys/", asked)
    assert "must be allowed to act for others" in page.content.decode()
    assert ApiKey.objects.count() == 0


def test_revoking_asks_first(browser: Client, alice: User, call: Any) -> None:
    key, secret = make_key(alice)
    page = f"/accounts/keys/{key.pk}/revoke/"
    assert browser.get(page).status_code == 200
    assert call(secret).status_code == 200
    assert browser.post(page).status_code == 302
    assert call(secret).status_code == 401
    assert browser.post(f"/accounts/keys/{key.pk}/rotate/").status_code == 302
    assert call(secret).status_code == 401


def test_renewing_asks_first(browser: Client, alice: User, call: Any) -> None:
    key, old = make_key(alice)
    page = f"/accounts/keys/{key.pk}/rotate/"
    assert browser.get(page).status_code == 200
    assert call(old).status_code == 200
    new = browser.get(browser.post(page)["Location"]).context["secret"]
    assert call(old).status_code == 401
    assert call(new).status_code == 200


@pytest.mark.parametrize("verb", ["revoke", "rotate"])
def test_anothers_key_is_not_there(browser: Client, verb: str) -> None:
    key, _ = make_key(make_user("bob"))
    page = f"/accounts/keys/{key.pk}/{verb}/"
    assert browser.get(page).status_code == 404
    assert browser.post(page).status_code == 404


def test_the_key_page_takes_few_queries(
    browser: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(20):
        make_key(alice)
    browser.get("/accounts/keys/")  # counts what waits for review, for a while
    with django_assert_max_num_queries(5):
        browser.get("/accounts/keys/")
