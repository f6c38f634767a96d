"""Keys over REST: who may make, see, renew and revoke which."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import ApiKey, AuditEntry, User
from tests.accounts.factories import EVERY_RUN, make_admin, make_key, make_user

pytestmark = pytest.mark.django_db

RIGHTS_BEYOND_CHAT: list[dict[str, Any]] = [
    {"runs": ["cron"]},
    {"runs": ["chat", "webhook"]},
    {"may_act_for_others": True},
    {"may_act_for_others": True, "auto_provision": True},
    {"may_write_db_cache": True},
]


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def root() -> User:
    return make_admin("root")


def make(call: Any, secret: str, /, *, headers: Any = None, **body: Any) -> Any:
    body = {"label": "new"} | body
    return call(secret, "/api/keys", method="post", body=body, **(headers or {}))


def test_a_person_makes_a_key_that_works(alice: User, call: Any) -> None:
    _, secret = make_key(alice)
    answer = make(call, secret, label="my agent")
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    made = answer.json()
    assert made["secret"].startswith(made["prefix"])
    assert (made["owner"], made["runs"], made["state"]) == ("alice", ["chat"], "active")
    assert call(made["secret"]).json()["username"] == "alice"
    shown_later = call(secret, f"/api/keys/{made['id']}").json()
    assert "secret" not in shown_later
    assert "secret_hash" not in shown_later
    assert AuditEntry.objects.filter(action="key.create", actor=alice).exists()


@pytest.mark.parametrize("rights", RIGHTS_BEYOND_CHAT)
def test_only_administrators_give_more_than_chat(
    alice: User, root: User, call: Any, rights: dict[str, Any]
) -> None:
    # Not even out of a key that has all of it.
    full = {"runs": EVERY_RUN, "may_act_for_others": True}
    full |= {"auto_provision": True, "may_write_db_cache": True}
    assert make(call, make_key(alice, **full)[1], **rights).status_code == 403
    assert make(call, make_key(root, **full)[1], **rights).status_code == 201


@pytest.mark.parametrize("rights", RIGHTS_BEYOND_CHAT)
def test_a_key_makes_no_key_that_may_do_more(
    root: User, call: Any, rights: dict[str, Any]
) -> None:
    _, secret = make_key(root)
    assert make(call, secret, **rights).status_code == 403
    assert ApiKey.objects.count() == 1


def test_a_key_makes_no_key_that_outlives_it(root: User, call: Any) -> None:
    soon = timezone.now() + timedelta(days=1)
    _, secret = make_key(root, expires_at=soon)
    assert make(call, secret).status_code == 403
    later = (soon + timedelta(days=1)).isoformat()
    assert make(call, secret, expires_at=later).status_code == 403
    assert make(call, secret, expires_at=soon.isoformat()).status_code == 201


def test_keys_for_others_are_made_by_administrators(
    alice: User, root: User, call: Any
) -> None:
    _, alices = make_key(alice, may_act_for_others=True)
    assert make(call, alices, owner="root").status_code == 403
    assert make(call, alices, owner="nobody").status_code == 403
    _, chat_only = make_key(root)
    assert make(call, chat_only, owner="alice").status_code == 403
    _, roots = make_key(root, may_act_for_others=True)
    assert make(call, roots, owner="nobody").json()["error"]["field"] == "owner"
    made = make(call, roots, owner="alice").json()
    assert call(made["secret"]).json()["username"] == "alice"


@pytest.mark.parametrize(
    "body", [{"may_act_for_others": True}, {"owner": "alice"}], ids=str
)
def test_keys_that_read_what_others_can_read_are_audited_as_such(
    alice: User, root: User, call: Any, body: dict[str, Any]
) -> None:
    _, secret = make_key(root, may_act_for_others=True)
    AuditEntry.objects.all().delete()
    made = make(call, secret, **body).json()
    entry = AuditEntry.objects.get()
    assert entry.action == "key.create_acting_for_others"
    assert (entry.actor, entry.details["key_id"]) == (root, made["id"])
    assert made["secret"] not in str(entry.details) + entry.target


@pytest.mark.parametrize(
    "headers",
    [
        {"X-GoClaw-Run": "cron"},
        {"X-GoClaw-Conversation": "shared"},
        {"X-GoClaw-User": "alice", "X-GoClaw-Conversation": "direct"},
    ],
    ids=str,
)
def test_agents_do_not_manage_keys(
    alice: User, root: User, call: Any, headers: dict[str, str]
) -> None:
    key, secret = make_key(root, runs=EVERY_RUN, may_act_for_others=True)
    one = f"/api/keys/{key.pk}"
    answers = [
        make(call, secret, headers=headers),
        call(secret, "/api/keys", **headers),
        call(secret, one, **headers),
        call(secret, one, method="delete", **headers),
        call(secret, f"{one}/rotate", method="post", **headers),
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert ApiKey.objects.unrevoked().count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {"label": ""},
        {"label": "x" * 101},
        {"label": "a\x00b"},
        {"runs": []},
        {"runs": ["human"]},
        {"runs": ["chat", "chat"]},
        {"runs": "chat"},
        {"auto_provision": True},
        {"expires_at": "yesterday"},
        {"expires_at": "2020-01-01T00:00:00Z"},
    ],
    ids=str,
)
def test_nonsense_makes_no_key(root: User, call: Any, body: dict[str, Any]) -> None:
    _, secret = make_key(root, may_act_for_others=True, auto_provision=True)
    answer = make(call, secret, **body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid")
    assert ApiKey.objects.count() == 1


def test_a_misspelt_limit_makes_no_unlimited_key(root: User, call: Any) -> None:
    _, secret = make_key(root)
    answer = make(call, secret, expire_at="2999-01-01")
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "unknown_field"
    assert "expires_at" in answer.json()["error"]["remedy"]
    assert ApiKey.objects.count() == 1


def test_an_expiry_without_an_offset_is_in_the_persons_zone(
    root: User, call: Any
) -> None:
    root.timezone = "America/New_York"
    root.save()
    _, secret = make_key(root)
    made = make(call, secret, expires_at="2999-01-01T00:00").json()
    assert made["expires_at"] == "2999-01-01T05:00:00Z"


def test_anothers_key_is_not_there(alice: User, root: User, call: Any) -> None:
    roots, _ = make_key(root)
    _, secret = make_key(alice)
    one = f"/api/keys/{roots.pk}"
    answers = [
        call(secret, one),
        call(secret, one, method="delete"),
        call(secret, f"{one}/rotate", method="post"),
        call(secret, "/api/keys/999999"),
        call(secret, "/api/keys/99999999999999999999"),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert roots not in ApiKey.objects.exclude(revoked_at=None)


def test_administrators_see_and_revoke_every_key(
    alice: User, root: User, call: Any
) -> None:
    alices, secret = make_key(alice)
    _, roots = make_key(root)
    listed = call(roots, "/api/keys").json()["results"]
    assert {key["owner"] for key in listed} == {"alice", "root"}
    assert call(roots, f"/api/keys/{alices.pk}", method="delete").status_code == 204
    assert call(secret).status_code == 401
    # Again is fine, and is noted once.
    assert call(roots, f"/api/keys/{alices.pk}", method="delete").status_code == 204
    assert AuditEntry.objects.filter(action="key.revoke").count() == 1


def test_nobody_renews_anothers_key(alice: User, root: User, call: Any) -> None:
    alices, _ = make_key(alice)
    _, roots = make_key(root)
    answer = call(roots, f"/api/keys/{alices.pk}/rotate", method="post")
    assert answer.status_code == 403


def test_a_weak_key_renews_no_stronger_one(root: User, call: Any) -> None:
    strong, _ = make_key(root, may_act_for_others=True)
    _, weak = make_key(root)
    answer = call(weak, f"/api/keys/{strong.pk}/rotate", method="post")
    assert answer.status_code == 403


def test_a_renewed_key_has_a_new_secret_only(alice: User, call: Any) -> None:
    key, old = make_key(alice)
    answer = call(old, f"/api/keys/{key.pk}/rotate", method="post")
    new = answer.json()["secret"]
    assert call(old).status_code == 401
    assert call(new).json()["username"] == "alice"
    assert answer.json()["id"] == key.pk


def test_a_revoked_key_gets_no_new_secret(alice: User, call: Any) -> None:
    key, _ = make_key(alice)
    _, secret = make_key(alice)
    call(secret, f"/api/keys/{key.pk}", method="delete")
    answer = call(secret, f"/api/keys/{key.pk}/rotate", method="post")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "key_revoked")


def test_the_list_comes_in_pages_of_few_queries(
    alice: User, call: Any, django_assert_max_num_queries: Any
) -> None:
    _, secret = make_key(alice)
    for _ in range(5):
        make_key(alice)
    call(secret)
    with django_assert_max_num_queries(5):
        first = call(secret, "/api/keys?page_size=4").json()
    assert len(first["results"]) == 4
    rest = call(secret, first["next"].split("testserver")[1]).json()
    assert len(rest["results"]) == 2
    assert rest["next"] is None
