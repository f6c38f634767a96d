"""Every rule of the X-GoClaw headers, through HTTP."""

import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection

from accounts.models import AuditEntry, Identity, User
from tests.accounts.factories import EVERY_RUN, make_admin, make_key, make_user

pytestmark = pytest.mark.django_db

OWN, GATEWAY, OPEN, CRON = "own", "gateway", "open", "cron"


@pytest.fixture
def secrets() -> dict[str, str]:
    """Four keys of olga, and the people they may name."""
    olga = make_user("olga")
    alice = make_user("alice", timezone="Asia/Tokyo")
    alice.groups.add(Group.objects.create(name="writers"))
    make_user("gone", is_active=False)
    make_user("jürgen")
    make_admin("root")
    for user, sender in ((alice, "@al:ice"), (olga, "olga")):
        Identity.objects.create(
            user=user, channel="matrix", account="bot", sender=sender
        )
    return {
        OWN: make_key(olga)[1],
        GATEWAY: make_key(olga, runs=EVERY_RUN, may_act_for_others=True)[1],
        OPEN: make_key(olga, may_act_for_others=True, auto_provision=True)[1],
        CRON: make_key(olga, runs=["cron"])[1],
    }


@dataclass(frozen=True)
class Accepted:
    """A request that is answered, and what it says about the actor."""

    key: str
    headers: dict[str, str]
    says: dict[str, Any] = field(default_factory=dict)


RUN, TALK = "X-GoClaw-Run", "X-GoClaw-Conversation"
USER, IDENTITY = "X-GoClaw-User", "X-GoClaw-Identity"
DIRECT, SHARED = {"conversation": "direct"}, {"conversation": "shared"}

ACCEPTED = [
    Accepted(OWN, {}, {"username": "olga", "run": "chat", **DIRECT}),
    Accepted(OWN, {RUN: "chat"}, {"run": "chat"}),
    Accepted(OWN, {TALK: "shared"}, {"username": "olga", **SHARED}),
    Accepted(OWN, {USER: "olga"}, {"username": "olga", **DIRECT}),
    Accepted(OWN, {IDENTITY: "matrix:bot:olga"}, {"username": "olga", **DIRECT}),
    Accepted(CRON, {RUN: "cron"}, {"run": "cron", **DIRECT}),
    *[Accepted(GATEWAY, {RUN: run}, {"run": run}) for run in EVERY_RUN],
    Accepted(GATEWAY, {}, {"username": "olga", **DIRECT}),
    Accepted(
        GATEWAY,
        {USER: "alice"},
        {"username": "alice", "timezone": "Asia/Tokyo", "roles": ["writers"], **SHARED},
    ),
    Accepted(GATEWAY, {USER: "alice", TALK: "direct"}, {"username": "alice", **DIRECT}),
    Accepted(GATEWAY, {USER: "alice", TALK: "shared"}, SHARED),
    Accepted(GATEWAY, {USER: "olga"}, {"username": "olga", **DIRECT}),
    Accepted(GATEWAY, {USER: "root"}, {"username": "root", "is_admin": True}),
    Accepted(GATEWAY, {USER: "alice"}, {"is_admin": False}),
    Accepted(
        GATEWAY, {IDENTITY: "matrix:bot:@al:ice"}, {"username": "alice", **SHARED}
    ),
    Accepted(GATEWAY, {IDENTITY: " matrix : bot : olga "}, DIRECT),
    # Servers decode header bytes as Latin-1.
    Accepted(
        GATEWAY, {USER: "jürgen".encode().decode("latin-1")}, {"username": "jürgen"}
    ),
]


@pytest.mark.parametrize(
    "case", ACCEPTED, ids=lambda case: f"{case.key} {case.headers}"
)
def test_accepted(secrets: dict[str, str], call: Any, case: Accepted) -> None:
    answer = call(secrets[case.key], **case.headers)
    assert answer.status_code == 200, answer.json()
    assert answer.json().items() >= case.says.items()


@pytest.mark.parametrize(
    ("key", "headers", "status", "code"),
    [
        # The key's own limits.
        (OWN, {RUN: "cron"}, 403, "run_not_allowed"),
        (CRON, {}, 403, "run_not_allowed"),
        (CRON, {RUN: "chat"}, 403, "run_not_allowed"),
        # Never falls back to the owner, and says the same of those who do not exist.
        (OWN, {USER: "alice"}, 403, "forbidden"),
        (OWN, {USER: "nobody"}, 403, "forbidden"),
        (OWN, {USER: "root"}, 403, "forbidden"),
        (OWN, {USER: "OLGA"}, 403, "forbidden"),
        (OWN, {IDENTITY: "matrix:bot:@al:ice"}, 403, "forbidden"),
        (OWN, {IDENTITY: "matrix:bot:nobody"}, 403, "forbidden"),
        # Unknown and inactive people.
        (GATEWAY, {USER: "nobody"}, 403, "unknown_identity"),
        (OPEN, {USER: "nobody"}, 403, "unknown_identity"),
        (GATEWAY, {IDENTITY: "matrix:bot:nobody"}, 403, "unknown_identity"),
        (GATEWAY, {IDENTITY: "matrix:other-bot:@al:ice"}, 403, "unknown_identity"),
        (GATEWAY, {USER: "gone"}, 403, "inactive_user"),
        # Malformed, also for a key that may do everything; empty is malformed.
        (GATEWAY, {RUN: "human"}, 400, "invalid"),
        (GATEWAY, {RUN: "system"}, 400, "invalid"),
        (GATEWAY, {RUN: "Cron"}, 400, "invalid"),
        (GATEWAY, {RUN: ""}, 400, "invalid"),
        (GATEWAY, {TALK: "private"}, 400, "invalid"),
        (GATEWAY, {TALK: ""}, 400, "invalid"),
        (GATEWAY, {USER: ""}, 400, "invalid"),
        (GATEWAY, {USER: "  "}, 400, "invalid"),
        (GATEWAY, {USER: "a" * 151}, 400, "invalid"),
        (GATEWAY, {USER: "al\x00ice"}, 400, "invalid"),
        (GATEWAY, {USER: "\xff\xfe"}, 400, "invalid"),
        (GATEWAY, {IDENTITY: ""}, 400, "invalid"),
        (GATEWAY, {IDENTITY: "matrix:bot"}, 400, "invalid"),
        (GATEWAY, {IDENTITY: "matrix::olga"}, 400, "invalid"),
        (GATEWAY, {IDENTITY: f"{'m' * 65}:bot:olga"}, 400, "invalid"),
        (GATEWAY, {USER: "alice", IDENTITY: "matrix:bot:@al:ice"}, 400, "invalid"),
    ],
)
def test_refused(
    secrets: dict[str, str],
    call: Any,
    key: str,
    headers: dict[str, str],
    status: int,
    code: str,
) -> None:
    answer = call(secrets[key], **headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_key_without_the_right_learns_nothing_about_who_exists(
    secrets: dict[str, str], call: Any
) -> None:
    def refusal(**headers: str) -> dict[str, Any]:
        body = call(secrets[OWN], **headers).json()["error"]
        del body["request_id"]
        return body

    assert refusal(**{USER: "alice"}) == refusal(**{USER: "nobody"})
    known = refusal(**{IDENTITY: "matrix:bot:@al:ice"})
    assert known == refusal(**{IDENTITY: "matrix:bot:nobody"})


def test_an_unknown_identity_becomes_a_person_without_password_once(
    secrets: dict[str, str], call: Any
) -> None:
    identity = "telegram:bot:4711 Ä".encode().decode("latin-1")
    first = call(secrets[OPEN], **{IDENTITY: identity}).json()
    again = call(secrets[OPEN], **{IDENTITY: identity}).json()
    assert first == again
    assert (first["conversation"], first["is_admin"]) == ("shared", False)
    person = User.objects.get(username=first["username"])
    assert not person.has_usable_password()
    assert not person.is_staff
    person.full_clean()
    entry = AuditEntry.objects.get(action="user.provision")
    assert entry.target == person.username
    assert entry.key is not None


def test_a_new_persons_name_never_meets_an_existing_one(
    secrets: dict[str, str], call: Any
) -> None:
    same_looking = [
        call(secrets[OPEN], **{IDENTITY: f"telegram:bot:{sender}"}).json()["username"]
        for sender in ("a b", "a-b", "a/b")
    ]
    assert len(set(same_looking)) == 3


@pytest.mark.django_db(transaction=True)
def test_two_first_requests_at_once_make_one_person(call: Any) -> None:
    secret = make_key(make_user("olga"), may_act_for_others=True, auto_provision=True)[
        1
    ]
    names: list[str] = []
    start = threading.Barrier(6)

    def first_request() -> None:
        start.wait()
        answer = call(secret, **{IDENTITY: "telegram:bot:4711"})
        names.append(answer.json()["username"])
        connection.close()

    threads = [threading.Thread(target=first_request) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names) == 6
    assert len(set(names)) == 1
    assert User.objects.count() == 2
