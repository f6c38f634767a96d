"""What agents write to the wiki waits for people, by a setting."""

import pytest

from goclaw.lib import config
from tests.review.conftest import code_of
from tests.wiki.calls import Wiki

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewed(settings):
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"review_autonomous": True}
    config.reset()


def test_by_default_autonomous_runs_write_pages_themselves(cron_api, wiki):
    assert Wiki(cron_api).post("ops/report").status_code == 201
    assert wiki.read("ops/report")["revision"] == 1


def test_what_autonomous_runs_write_waits_by_a_setting(
    reviewed, cron_api, editor, wiki, admin_api
):
    agent = Wiki(cron_api)
    wiki.save("ops/report", "Old.\n")
    answer = agent.post("ops/report", "New.\n", base_revision=1)
    assert answer.status_code == 202
    assert answer.json()["state"] == "pending"
    assert wiki.read("ops/report")["body"] == "Old.\n"
    assert agent.post("ops/report", "New.\n").json()["id"] == answer.json()["id"]
    item = editor.only()
    assert (item["via"], item["agent"]) == ("wiki_write", "admin")
    editor.approve(item)
    page = wiki.read("ops/report")
    assert page["body"] == "New.\n"
    (newest, _) = wiki.list("/history", slug="ops/report")["results"]
    assert (newest["origin"], newest["author"]) == ("agent", "erin")
    assert code_of(agent.post("ops/report", "New.\n")) == (409, "nothing_new")
    # People and their own agents go on as before.
    assert Wiki(admin_api).post("ops/mine").status_code == 201


def test_what_an_agent_wrote_and_somebody_refused_does_not_come_back(
    reviewed, cron_api, editor
):
    agent = Wiki(cron_api)
    agent.post("ops/report", "Spam.\n")
    editor.decide(editor.only(), "reject", reason="Spam.")
    answer = agent.post("ops/report", "Spam.\n")
    assert code_of(answer) == (409, "nothing_new")
    assert "Spam." in answer.json()["error"]["message"]
    assert editor.queue() == []


def test_the_tool_proposes_as_well(reviewed, cron_api, editor):
    said_ = cron_api.post("/tools/wiki_write", {"slug": "ops/x", "body": "X.\n"})
    assert said_.status_code == 200, said_.json()
    assert "approves it" in str(said_.json())
    assert editor.only()["slug"] == "ops/x"


def test_an_agent_hides_nothing_in_a_proposal(reviewed, cron_api):
    answer = Wiki(cron_api).post("ops/x", "Text\u202e.\n")
    assert code_of(answer) == (400, "hidden_characters")
