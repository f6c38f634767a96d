"""`/agentic/compact` and `/agentic/extract`."""

from typing import Any

import pytest

from memory import llm
from memory.models import Memory
from tests.compat.calling import agentic, ask
from tests.people import Api
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db

TALK = [
    {"role": "user", "content": "We decided to set the alarm at Steg to 4.2 m."},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "Please tell the communes by Friday."},
]


def test_a_short_conversation_stays_as_it_is(alice_api: Api) -> None:
    told = agentic(alice_api, "post", "compact", {"messages": TALK})
    assert told["compacted"] is False
    assert told["summary"] == ""
    assert told["original_count"] == 3


def test_a_summary_has_five_headings_and_says_what_it_is_made_of(
    alice_api: Api,
) -> None:
    told = agentic(alice_api, "post", "compact", {"messages": TALK, "force": True})
    assert told["compacted"] is True
    for heading in (
        "Context",
        "Key Decisions",
        "Action Items",
        "Important Details",
        "Current State",
    ):
        assert f"## {heading}" in told["summary"]
    assert "4.2 m" in told["summary"]
    assert "not written by a model" in told["summary"]
    assert told["token_estimate"] == -(-len(told["summary"]) // 3)


@pytest.mark.parametrize("limits", [{"msg_threshold": 3}, {"token_threshold": 20}])
def test_either_threshold_is_enough(alice_api: Api, limits: dict[str, int]) -> None:
    body = {"messages": TALK} | limits
    assert agentic(alice_api, "post", "compact", body)["compacted"]


def test_a_summary_keeps_to_its_limit(alice_api: Api) -> None:
    talk = [
        {"role": "user", "content": f"We decided {n}: " + "much to say " * 20}
        for n in range(60)
    ]
    body = {"messages": talk, "max_summary_tokens": 300}
    told = agentic(alice_api, "post", "compact", body)
    assert told["token_estimate"] <= 300
    assert told["compression_ratio"] < 0.1
    assert "## Current State" in told["summary"]


def test_nothing_is_extracted_of_a_few_messages(alice_api: Api) -> None:
    told = agentic(alice_api, "post", "extract", {"messages": TALK})
    assert told == {"extracted": [], "stored_count": 0, "skipped": True}
    body = {"messages": TALK, "last_extract_index": 3, "force": True}
    assert agentic(alice_api, "post", "extract", body)["skipped"]


def test_without_a_model_extraction_says_so(alice_api: Api) -> None:
    body: dict[str, Any] = {"messages": TALK, "force": True}
    answer = ask(alice_api, "post", "/agentic/extract", body)
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "model_not_configured"
    assert answer.json()["error"]["remedy"]


@pytest.mark.parametrize("auto_store", [True, False])
def test_what_a_person_said_is_extracted(
    alice_api: Api, monkeypatch: pytest.MonkeyPatch, auto_store: bool
) -> None:
    wish = "I always want short answers."
    reply = {
        "facts": [{"text": wish, "kind": "preference", "domain": "style", "message": 1}]
    }
    scripted = ScriptedModel([reply])
    monkeypatch.setattr(llm, "get_model", lambda: scripted)
    body: dict[str, Any] = {
        "messages": [{"role": "user", "content": wish}],
        "force": True,
        "auto_store": auto_store,
    }
    told = agentic(alice_api, "post", "extract", body)
    assert (told["skipped"], told["stored_count"]) == (False, int(auto_store))
    (found,) = told["extracted"]
    assert "short answers" in found["content"]
    assert {"tier", "category", "importance", "tags"} <= found.keys()
    assert Memory.objects.filter(origin="extraction").count() == int(auto_store)
