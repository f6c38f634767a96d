"""The Django admin pages of accounts."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse

from accounts import audit
from accounts.models import ApiKey, AuditEntry, Identity, User
from tests.accounts.factories import make_admin, make_key, make_user

pytestmark = pytest.mark.django_db

MODELS = [
    "accounts_user",
    "auth_group",
    "accounts_identity",
    "accounts_apikey",
    "accounts_auditentry",
]


@pytest.fixture
def root(client: Client) -> User:
    root = make_admin("root")
    client.force_login(root)
    return root


@pytest.fixture
def rows(root: User) -> dict[str, int]:
    """One row of each model, with its id."""
    identity = Identity.objects.create(
        user=root, channel="matrix", account="bot", sender="root"
    )
    return {
        "accounts_user": root.pk,
        "auth_group": Group.objects.create(name="writers").pk,
        "accounts_identity": identity.pk,
        "accounts_apikey": make_key(root)[0].pk,
        "accounts_auditentry": audit.record("test", user=root).pk,
    }


@pytest.mark.parametrize("model", MODELS)
def test_every_page_opens(client: Client, rows: dict[str, int], model: str) -> None:
    changelist = reverse(f"admin:{model}_changelist")
    for query in ("", "?q=root", "?o=1", "?o=-2"):
        assert client.get(changelist + query).status_code == 200
    one = client.get(reverse(f"admin:{model}_change", args=[rows[model]]))
    assert one.status_code == 200
    add = client.get(reverse(f"admin:{model}_add"))
    assert add.status_code == (403 if model == "accounts_auditentry" else 200)
    history = client.get(reverse(f"admin:{model}_history", args=[rows[model]]))
    assert history.status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_lists_cost_the_same_for_many_rows(
    client: Client, rows: dict[str, int], model: str, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        user = make_user(f"user{number}")
        make_key(user)
        Group.objects.create(name=f"group{number}")
        Identity.objects.create(
            user=user, channel="matrix", account="bot", sender=str(number)
        )
    with django_assert_max_num_queries(8):
        client.get(reverse(f"admin:{model}_changelist"))


@pytest.mark.parametrize("model", MODELS)
def test_staff_with_model_permissions_do_not_get_in(client: Client, model: str) -> None:
    clerk = make_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.all())
    client.force_login(clerk)
    for page in ("changelist", "add"):
        assert client.get(reverse(f"admin:{model}_{page}")).status_code == 403


def test_people_and_keys_and_the_log_are_not_deleted_here(
    client: Client, rows: dict[str, int]
) -> None:
    for model in ("accounts_user", "accounts_apikey", "accounts_auditentry"):
        page = reverse(f"admin:{model}_delete", args=[rows[model]])
        assert client.post(page, {"post": "yes"}).status_code == 403


def test_adding_a_person(client: Client, root: User) -> None:
    answer = client.post(
        reverse("admin:accounts_user_add"),
        {"username": "bob", "usable_password": "false", "_save": "Save"},
    )
    assert answer.status_code == 302
    bob = User.objects.get(username="bob")
    assert not bob.has_usable_password()
    assert AuditEntry.objects.get(action="admin.user.add").target == "bob"


def test_a_name_in_other_letters_is_taken(client: Client, root: User) -> None:
    made = {"username": "ROOT", "usable_password": "false"}
    answer = client.post(reverse("admin:accounts_user_add"), made)
    assert "already exists" in answer.content.decode()
    assert User.objects.count() == 1


def test_changes_are_audited_by_field_not_by_value(client: Client, root: User) -> None:
    bob = make_user("bob")
    page = reverse("admin:accounts_user_change", args=[bob.pk])
    form = client.get(page).context["adminform"].form
    data = {name: value for name, value in form.initial.items() if value is not None}
    data |= {"email": "bob@example.org", "timezone": "Asia/Tokyo", "is_superuser": "on"}
    data |= {"groups": [], "user_permissions": []}
    data.pop("password")
    assert client.post(page, data).status_code == 302
    entry = AuditEntry.objects.get(action="admin.user.change")
    assert (entry.actor, entry.target) == (root, "bob")
    assert "Superuser status" in str(entry.details)
    assert "bob@example.org" not in str(entry.details)
    bob.refresh_from_db()
    assert (bob.is_superuser, bob.timezone) == (True, "Asia/Tokyo")


def test_a_new_key_shows_its_secret_once(client: Client, root: User, call: Any) -> None:
    bob = make_user("bob")
    made = client.post(
        reverse("admin:accounts_apikey_add"),
        {"label": "gateway", "owner": bob.pk, "runs": ["chat", "cron"]},
    )
    page = client.get(made["Location"])
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert call(secret).json()["username"] == "bob"
    key = ApiKey.objects.get()
    assert key.runs == ["chat", "cron"]
    shown = client.get(reverse("admin:accounts_apikey_change", args=[key.pk]))
    assert key.prefix in shown.content.decode()
    assert secret not in shown.content.decode()
    assert key.secret_hash not in shown.content.decode()
    again = client.get(made["Location"], follow=True).content.decode()
    assert "A secret is shown once" in again
    assert secret not in again
    # A key of somebody else can read what that person can read.
    assert AuditEntry.objects.get(action="key.create_acting_for_others").actor == root


@pytest.mark.parametrize(
    "wrong",
    [
        {"runs": []},
        {"auto_provision": "on"},
        {"expires_at_0": "2020-01-01", "expires_at_1": "00:00"},
    ],
    ids=str,
)
def test_a_nonsense_key_is_refused_on_the_form(
    client: Client, root: User, wrong: dict[str, Any]
) -> None:
    data = {"label": "x", "owner": root.pk, "runs": ["chat"]} | wrong
    page = client.post(reverse("admin:accounts_apikey_add"), data)
    assert page.context["adminform"].form.errors
    assert ApiKey.objects.count() == 0


def test_only_the_label_of_a_key_can_be_changed(client: Client, root: User) -> None:
    key, _ = make_key(root)
    page = reverse("admin:accounts_apikey_change", args=[key.pk])
    client.post(page, {"label": "renamed", "may_act_for_others": "on", "runs": "cron"})
    key.refresh_from_db()
    assert (key.label, key.may_act_for_others, key.runs) == ("renamed", False, ["chat"])


def test_revoking_selected_keys(client: Client, root: User, call: Any) -> None:
    key, secret = make_key(root)
    client.post(
        reverse("admin:accounts_apikey_changelist"),
        {"action": "revoke_selected", "_selected_action": [key.pk]},
    )
    assert call(secret).status_code == 401
    assert AuditEntry.objects.filter(action="key.revoke").count() == 1
