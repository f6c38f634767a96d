"""A memory file from statements: each once, the newer where two contradict. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from memory.lifecycle.particulars import normalise
from memory.lifecycle.rules import Statement, conflict

SECTIONS = {"decision": "Decisions", "fact": "Facts", "preference": "Preferences"}


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that a person said, and when; `person` is their id, if it is known."""

    text: str
    section: str
    at: datetime
    person: int | None

    def to_json(self) -> dict[str, Any]:
        """Return it as a job's payload keeps it."""
        return {
            "text": self.text,
            "section": self.section,
            "at": self.at.isoformat(),
            "person": self.person,
        }

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Kept":
        """Return what `to_json` was made of."""
        return cls(**kept | {"at": datetime.fromisoformat(kept["at"])})


def rebuilt(kept: Sequence[Kept], *, day: date) -> str:
    """Return the text of the file, in the order in which things were said."""
    standing = _standing(sorted(kept, key=lambda one: one.at))
    parts = ["# Memory", f"Built from archived conversations on {day.isoformat()}."]
    for section, heading in SECTIONS.items():
        lines = [f"- {one.text}" for one in standing if one.section == section]
        if lines:
            parts += [f"## {heading}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _standing(kept: Sequence[Kept]) -> list[Kept]:
    """Return what no later statement repeats or replaces."""
    standing: dict[str, Kept] = {}
    for newer in kept:
        said = Statement(newer.text, newer.person)
        for name, older in list(standing.items()):
            if conflict(Statement(older.text, older.person), said):
                del standing[name]
        standing.setdefault(normalise(newer.text), newer)
    return list(standing.values())
