"""Keys and people from the terminal, for administrators."""

import pytest

from accounts.models import AuditEntry, User
from tests.cli.conftest import Run
from tests.people import Api, api_for, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_key_is_made_listed_and_revoked(
    goclaw: Run, server: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = goclaw("key", "create", "laptop")
    secret = made.out.strip()
    assert secret.startswith("gck_")
    row = next(
        key for key in goclaw("key", "list", "--json").json if key["label"] == "laptop"
    )
    assert row["runs"] == ["chat"]
    assert secret not in goclaw("key", "list").out

    tried = goclaw("key", "revoke", str(row["id"]), "--dry-run")
    assert "laptop is active" in tried.out
    asked = goclaw("key", "revoke", str(row["id"]))
    assert (asked.code, "Nobody is there to answer" in asked.err) == (2, True)
    assert "is revoked" in goclaw("key", "revoke", str(row["id"]), "--yes").out
    monkeypatch.setenv("GOCLAW_API_KEY", secret)
    assert goclaw("memory", "stats").code == 4


def test_people_are_added_and_changed(goclaw: Run, server: User) -> None:
    made = goclaw(
        *("user", "create", "mira", "--first-name", "Mira", "--json"),
        *("--timezone", "Europe/Vienna", "--role", "wiki editors"),
    )
    assert made.json["roles"] == ["wiki editors"]
    assert not User.objects.get(username="mira").has_usable_password()
    assert "mira" in goclaw("user", "list").out

    gone = goclaw("user", "change", "mira", "--inactive", "--json")
    assert (gone.json["is_active"], gone.json["roles"]) == (False, ["wiki editors"])
    assert "Europe/Vienna" in goclaw("user", "list").out
    actions = AuditEntry.objects.order_by("id").values_list("action", flat=True)
    assert list(actions)[-2:] == ["user.create", "user.change"]


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        (("create", "admin"), 6, "The name admin is taken"),
        (("create", "ADMIN"), 6, "The name admin is taken"),
        (("create", "x", "--timezone", "Mars/One"), 2, "Mars/One"),
        (("create", "x", "--role", "kings"), 2, "no role 'kings'"),
        (("create", "a b"), 2, "valid username"),
        (("change", "nobody", "--inactive"), 5, "no such person"),
        (("change", "admin", "--no-admin"), 6, "has to stay an active administrator"),
    ],
)
def test_what_cannot_be_is_refused(
    goclaw: Run, server: User, command: tuple[str, ...], code: int, sentence: str
) -> None:
    ran = goclaw("user", *command)
    assert (ran.code, sentence in ran.err) == (code, True), ran.err


def test_only_administrators_manage_people(server: User, api: Api) -> None:
    alice = api_for(make_user("alice"))
    cron = api_for(server, run="cron")
    for_alice = api_for(server, may_act_for_others=True)
    for_alice.headers |= {"X-GoClaw-User": "alice", "X-GoClaw-Conversation": "direct"}
    for stranger in (alice, cron, for_alice):
        assert stranger.get("/users").status_code == 403
        assert stranger.get("/users/admin").status_code == 403
        assert stranger.post("/users", {"username": "x"}).status_code == 403
        assert stranger("patch", "/users/alice", {"is_admin": True}).status_code == 403
    assert not User.objects.get(username="alice").is_superuser
