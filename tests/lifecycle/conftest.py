"""What tests of decisions about records share."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actors import Actor, actor_for_user
from accounts.models import User
from memory import llm, records
from memory.drafts import Draft
from memory.models import Memory
from tests.scripted_model import ScriptedModel

WriteNote = Callable[..., Memory]


@pytest.fixture
def boss(admin: User) -> Actor:
    """The actor of an administrator."""
    return actor_for_user(admin)


@pytest.fixture
def note(boss: Actor) -> WriteNote:
    """Return a function that writes a fact of the agent notes, and nothing else."""

    def write(content: str, **fields: Any) -> Memory:
        draft = Draft(
            **{"scope": "agent_notes", "kind": "fact"} | fields, content=content
        )
        return records.write(actor=boss, draft=draft).memory

    return write


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedModel]:
    """Return a function that puts a model in place which gives these replies."""

    def put(*replies: Any, always: Any = None) -> ScriptedModel:
        model = ScriptedModel(replies, always=always)
        monkeypatch.setattr(llm, "get_model", lambda: model)
        return model

    return put
