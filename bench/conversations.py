"""Long conversations with questions about them, as a JSON file has them.

The file is a list of `{sample_id, conversation: {session_1: [turn],
session_1_date_time, ...}, qa: [{question, evidence: [turn id], category}]}`, the form
of the LoCoMo data set (Maharana et al., 2024). Nothing of it is part of the project.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

UNANSWERABLE = 5
"""The category whose questions have no valid evidence."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said; `text` names the speaker."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """What was said on one occasion."""

    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the ids of the turns that answer it."""

    text: str
    evidence: frozenset[str]
    category: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """All sessions of two people, in order, with the questions."""

    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


def read(path: Path, limit: int | None = None) -> list[Conversation]:
    """Return the first conversations of the file, or all."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return [_conversation(entry) for entry in content[:limit]]


def _conversation(entry: dict[str, Any]) -> Conversation:
    sessions = tuple(_sessions(entry["conversation"]))
    known = {turn.id for session in sessions for turn in session.turns}
    return Conversation(
        name=re.sub(r"[^a-z0-9]+", "-", entry["sample_id"].lower()),
        sessions=sessions,
        questions=tuple(_questions(entry["qa"], known)),
    )


def _sessions(conversation: dict[str, Any]) -> Iterator[Session]:
    numbers = sorted(
        int(found[1])
        for name in conversation
        if (found := re.fullmatch(r"session_(\d+)", name))
    )
    for number in numbers:
        at = " ".join(conversation[f"session_{number}_date_time"].split())
        yield Session(
            at=datetime.strptime(at, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC),
            turns=tuple(
                Turn(turn["dia_id"], _text(turn))
                for turn in conversation[f"session_{number}"]
            ),
        )


def _text(turn: dict[str, Any]) -> str:
    said = f"{turn['speaker']}: {' '.join(turn['text'].split())}"
    caption = turn.get("blip_caption")
    return f"{said} [image: {caption}]" if caption else said


def _questions(entries: list[dict[str, Any]], known: set[str]) -> Iterator[Question]:
    for entry in entries:
        named = " ".join(entry.get("evidence", []))
        evidence = frozenset(re.split(r"[;, ]+", named)) & known
        if evidence and entry["category"] != UNANSWERABLE:
            yield Question(entry["question"], evidence, entry["category"])
