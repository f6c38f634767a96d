"""A real small model over HTTP: a trim with its summary from end to end."""

import pytest

from memory import llm, runner
from memory.models import Job
from tests.sessions.model_server import serving
from tests.sessions.talking import heard, opened, said, say

pytestmark = [pytest.mark.model, pytest.mark.django_db]

HEADINGS = [
    "## Context",
    "## Key Decisions",
    "## Action Items",
    "## Important Details",
    "## Current State",
]


@pytest.fixture(scope="module")
def address():
    """Start the model's server; return where it listens."""
    with serving() as base_url:
        yield base_url


@pytest.fixture
def configured(address, settings, tmp_path):
    """Make it the background model."""
    settings.GOCLAW_STATE_DIR = tmp_path
    settings.GOCLAW_MODEL = settings.GOCLAW_MODEL | {
        "base_url": address,
        "name": "smollm2",
        "timeout_s": 240,
    }
    llm.reset()
    yield
    llm.reset()


def test_a_trim_is_summarised_by_it(configured, alice_api):
    session = opened(alice_api)
    sent = [
        said("We decided to set the alarm of the Steg gauge at 4.2 m."),
        said("Noted: the alarm at Steg is at 4.2 m.", "assistant"),
        said("Please tell the communes by Friday."),
        said("I will write to them.", "assistant"),
    ]
    say(alice_api, session, *sent)
    uid = alice_api.post(f"{session}/trim", {"force": True}).json()["id"]
    runner.run(Job.objects.get(uid=uid).pk)
    assert heard(alice_api, session) == [m["content"] for m in sent[2:]]
    body = alice_api.get(session).json()
    assert body["summary"]["source"] == "model", body["summary"]
    assert body["summary"]["problem"] == ""
    lines = body["summary"]["text"].splitlines()
    assert [line for line in lines if line in HEADINGS] == HEADINGS
    assert any(line.startswith("- ") and line != "- none" for line in lines)
