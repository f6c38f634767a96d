"""Learning from the terminal: jobs queued, decisions listed and taken back."""

import json

import pytest

from accounts.models import User
from memory.models import Job, Memory
from tests.cli.conftest import Run
from tests.people import Api

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("command", ["revise", "dedupe"])
def test_work_over_everything_is_a_job(goclaw: Run, server: User, command: str) -> None:
    ran = goclaw("memory", command, "--dry-run", "--json")
    assert (ran.json["kind"], ran.json["state"]) == (command, "queued")
    job = Job.objects.get(uid=ran.json["id"])
    assert job.payload["dry_run"] is True


def test_the_ratio_of_duplicates_is_checked(goclaw: Run, server: User) -> None:
    assert goclaw("memory", "dedupe", "--ratio", "0.2").code == 2
    ran = goclaw("memory", "dedupe", "--ratio", "0.9", "--dry-run", "--json")
    assert Job.objects.get(uid=ran.json["id"]).payload["ratio"] == 0.9


def test_old_notes_are_shown_before_they_are_put_away(
    goclaw: Run, server: User
) -> None:
    ran = goclaw("memory", "consolidate", "--lookback-days", "0", "--dry-run")
    assert ran.code == 0, ran.err
    assert "record_count" in ran.out


def test_a_rebuild_asks_first(goclaw: Run, server: User) -> None:
    assert goclaw("memory", "replay").code == 2
    assert not Job.objects.filter(kind="replay").exists()


def test_decisions_are_listed_and_undone(goclaw: Run, server: User, api: Api) -> None:
    fact = {"scope": "agent_notes", "domain": "db", "key": "host"}
    for value in ("lynx", "heron"):
        api.post("/memory/records", {**fact, "value": value})
    listed = goclaw("memory", "revisions", "list", "--via", "key", "--json").json
    assert len(listed) == 1
    assert "lynx" in goclaw("memory", "revisions", "list").out

    assert goclaw("memory", "revisions", "undo").code == 2
    newer = Memory.objects.get(value="heron")
    api("delete", f"/memory/records/{newer.uid}")
    done = goclaw("memory", "revisions", "undo", listed[0]["id"])
    assert done.out == "Restored 1, retired 0.\n"
    assert not Memory.objects.get(value="lynx").is_superseded


def test_distilling_says_what_is_missing(goclaw: Run, server: User) -> None:
    ran = goclaw("wiki", "distill", "--domain", "db", "--json")
    assert ran.code == 7
    said = ran.err[
        ran.err.index("{") :
    ]  # the server's log, of the same process, is above
    assert json.loads(said)["error"]["code"] == "model_not_configured"
