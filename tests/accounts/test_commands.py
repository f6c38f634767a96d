"""bootstrap, apikey and signin_link."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import ApiKey, User
from tests.accounts.factories import PASSWORD, make_admin, make_key, make_user

pytestmark = pytest.mark.django_db

EVERYTHING = {"chat", "sop", "cron", "webhook"}


@pytest.fixture
def key_file(settings: Any, tmp_path: Path) -> Path:
    settings.GOCLAW_STATE_DIR = tmp_path
    return tmp_path / "credentials" / "local-admin.key"


def run(*args: str) -> str:
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def link_in(text: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:8000(/accounts/once/\S+/)", text)
    assert found, text
    return found[1]


def test_a_fresh_installation(key_file: Path, client: Client, call: Any) -> None:
    said = run("bootstrap")
    admin = User.objects.get()
    assert (admin.username, admin.is_superuser, admin.is_staff) == ("admin", True, True)
    assert not admin.has_usable_password()
    assert client.post(link_in(said)).status_code == 302
    secret = key_file.read_text()
    assert re.fullmatch(r"gck_[\w-]{43}", secret)
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert key_file.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in key_file.parent.iterdir()] == [key_file.name]
    me = call(secret).json()
    assert (me["username"], me["is_admin"]) == ("admin", True)
    make_user("alice")
    for kind in EVERYTHING:
        headers = {"X-GoClaw-Run": kind, "X-GoClaw-User": "alice"}
        assert call(secret, **headers).status_code == 200
    assert secret not in said


def test_again_changes_nothing(key_file: Path, client: Client) -> None:
    first = run("bootstrap")
    secret = key_file.read_text()
    # The link is printed again while nobody has signed in: the terminal may be gone.
    second = run("bootstrap")
    assert client.post(link_in(first)).status_code == 410
    assert client.post(link_in(second)).status_code == 302
    assert run("bootstrap") == ""
    assert key_file.read_text() == secret
    assert (User.objects.count(), ApiKey.objects.count()) == (1, 1)


def test_a_lost_key_is_replaced_and_the_old_one_revoked(
    key_file: Path, call: Any
) -> None:
    run("bootstrap")
    lost = key_file.read_text()
    key_file.unlink()
    run("bootstrap")
    assert call(lost).status_code == 401
    assert call(key_file.read_text()).status_code == 200


@pytest.mark.parametrize("text", ["", "gck_wrong", "\xff\xfe"])
def test_a_broken_file_is_replaced(key_file: Path, call: Any, text: str) -> None:
    run("bootstrap")
    key_file.write_text(text, encoding="latin-1")
    run("bootstrap")
    assert call(key_file.read_text()).status_code == 200


def test_a_readable_file_is_made_private_again(key_file: Path) -> None:
    run("bootstrap")
    key_file.chmod(0o644)
    run("bootstrap")
    assert key_file.stat().st_mode & 0o777 == 0o600


def test_another_machines_key_stays(
    key_file: Path, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("bootstrap")
    here = key_file.read_text()
    key_file.unlink()
    monkeypatch.setattr("accounts.local_admin.socket.gethostname", lambda: "other")
    run("bootstrap")
    assert call(here).status_code == 200


def test_an_existing_administrator_is_used(key_file: Path, call: Any) -> None:
    make_admin("root")
    said = run("bootstrap")
    assert "/accounts/once/" not in said
    assert call(key_file.read_text()).json()["username"] == "root"
    assert not User.objects.filter(username="admin").exists()


def test_the_password_can_be_given(
    key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOCLAW_ADMIN_PASSWORD", "12345")
    with pytest.raises(CommandError, match="GOCLAW_ADMIN_PASSWORD"):
        run("bootstrap")
    assert User.objects.count() == 0
    monkeypatch.setenv("GOCLAW_ADMIN_PASSWORD", PASSWORD)
    said = run("bootstrap")
    assert PASSWORD not in said
    assert "/accounts/once/" not in said
    assert Client().login(username="admin", password=PASSWORD)


def test_nobody_is_made_an_administrator_by_name(key_file: Path) -> None:
    make_user("admin")
    with pytest.raises(CommandError, match="createsuperuser"):
        run("bootstrap")
    assert not User.objects.get().is_superuser


def test_keys_at_the_command_line(call: Any) -> None:
    make_user("alice")
    secret = run("apikey", "create", "alice", "nightly", "--run", "cron").strip()
    assert call(secret, **{"X-GoClaw-Run": "cron"}).json()["username"] == "alice"
    make_key(make_user("bob"))
    listed = run("apikey", "list", "--owner", "alice")
    assert listed.count("\n") == 1
    assert "nightly" in listed
    assert secret not in listed
    run("apikey", "revoke", str(ApiKey.objects.get(label="nightly").pk))
    assert call(secret, **{"X-GoClaw-Run": "cron"}).status_code == 401
    assert "revoked" in run("apikey", "list")


@pytest.mark.parametrize(
    "args",
    [
        ("apikey", "create", "nobody", "x"),
        ("apikey", "create", "alice", "x", "--auto-provision"),
        ("apikey", "revoke", "999"),
        ("signin_link", "nobody"),
    ],
)
def test_refusals_are_command_errors(args: tuple[str, ...]) -> None:
    make_user("alice")
    with pytest.raises(CommandError):
        run(*args)
    assert ApiKey.objects.count() == 0


def test_a_sign_in_link_for_somebody(client: Client) -> None:
    alice = make_user("alice")
    client.post(link_in(run("signin_link", "alice")))
    assert client.session["_auth_user_id"] == str(alice.pk)
