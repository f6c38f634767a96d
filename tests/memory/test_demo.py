"""The sample organisation: loaded once, seen by its people as anything else is."""

import re
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import ApiKey, User
from memory import demo
from memory.models import Agent, Memory, Revision
from memory.scopes import Scope
from tests.people import api_for, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_state(settings: Any, tmp_path: Path) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path


def run_demo() -> str:
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def counts() -> tuple[Counter[str], int, int, int]:
    scopes = Counter(Memory.objects.values_list("scope", flat=True))
    return (
        scopes,
        User.objects.count(),
        ApiKey.objects.count(),
        Revision.objects.count(),
    )


def test_loading_twice_gives_the_same(admin: User) -> None:
    run_demo()
    first = counts()
    scopes = first[0]
    assert scopes[Scope.AGENT_NOTES] + scopes[Scope.GLOBAL] > 50
    assert scopes[Scope.PERSONAL] == 15
    assert scopes[Scope.WORKSPACE] == 15
    assert scopes[Scope.DB_CACHE] == 1
    assert Memory.objects.filter(agent="night-desk").exists()
    run_demo()
    assert counts() == first


def test_the_reader_sees_their_own_records_and_nobody_elses(admin: User) -> None:
    reader = demo.load().reader
    mine = "aisle seat to Sendai"
    assert api_for(reader).search(mine)[0]["scope"] == "personal"
    assert all(hit["scope"] != "personal" for hit in api_for(admin).search(mine))
    theirs = "rendez-vous dentiste"
    assert all(hit["scope"] != "personal" for hit in api_for(reader).search(theirs))
    admin_list = api_for(admin).get("/memory/records", scope="personal")
    assert admin_list.json()["results"] == []
    listed = api_for(reader).get("/memory/records", scope="personal")
    assert len(listed.json()["results"]) == 11  # one more is in the bin


def test_history_is_there_to_be_seen(admin: User) -> None:
    reader = demo.load().reader
    key = "network/ingest-address"
    fact = api_for(reader).get(f"/memory/facts/global/network/{key}").json()
    assert fact["value"]["ip"] == "10.20.6.40"
    older = Memory.objects.get(key=key, superseded_at__isnull=False)
    assert str(older.superseded_by.uid) == fact["id"]
    assert set(Revision.objects.values_list("via", flat=True)) == {"edit", "key"}
    year = Memory.objects.exclude(scope__in=[Scope.WORKSPACE, Scope.DB_CACHE])
    assert len(set(year.values_list("created_at__month", flat=True))) >= 11
    assert older.superseded_at == older.superseded_by.created_at


def test_the_link_signs_the_reader_in_where_nobody_was_before() -> None:
    said = run_demo()
    assert "Made the administrator" in said
    assert User.objects.filter(is_superuser=True).count() == 1
    *_, link = re.findall(r"http://[^/]+(/accounts/once/\S+)", said)
    browser = Client()
    browser.post(link)
    answer = browser.get("/memories/")
    assert answer.status_code == 200
    assert "hazelnuts" in answer.content.decode()


def test_what_lies_on_disk_already_is_left_alone(admin: User, tmp_path: Path) -> None:
    mine = tmp_path / "workspace" / "Memory.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("# Mine\n", encoding="utf-8")
    demo.load()
    assert mine.read_text(encoding="utf-8") == "# Mine\n"
    assert Agent.objects.get(slug="night-desk").name == "Night desk"


def test_nobody_is_taken_for_one_of_the_sample(admin: User) -> None:
    make_user("tobias.kern")
    with pytest.raises(CommandError, match=r"tobias\.kern"):
        run_demo()
    assert not User.objects.filter(username="mira.holt").exists()
    assert not Memory.objects.exists()
