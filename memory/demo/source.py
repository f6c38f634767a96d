"""Read the sample organisation from the files beside this module."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"

_AGO = re.compile(r"ago-(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A record as its file has it; its age counts from the day it is loaded."""

    scope: str
    by: str
    days_ago: int
    at: str
    content: str
    kind: str
    via: str = "human"
    """`human` for the browser, else the run kind of the gateway's key."""
    domain: str = ""
    title: str = ""
    key: str = ""
    value: Any = None
    importance: int = 5
    tags: tuple[str, ...] = ()
    sequence: dict[str, Any] | None = None
    expires_in_days: int | None = None
    edit: dict[str, Any] | None = None
    """A later change: `by`, `days_later`, and the fields that it sets."""
    forgotten: bool = False

    def observed_at(self, loaded: datetime) -> datetime:
        """Return when it was said, for a sample loaded at that time."""
        day = loaded.astimezone(UTC).date() - timedelta(days=self.days_ago)
        return datetime.combine(day, time.fromisoformat(self.at), UTC)


def organisation() -> dict[str, Any]:
    """Return people, identities, writers, the gateway's key and the agents."""
    found: dict[str, Any] = _read(DATA / "organisation.json")
    return found


def conversations() -> list[dict[str, Any]]:
    """Return who talked with an agent when, and what was said."""
    found: list[dict[str, Any]] = _read(DATA / "conversations.json")
    return found


def entries() -> list[Entry]:
    """Return the records, oldest first, as they would have been written."""
    found = [
        Entry(**{**fields, "scope": path.stem, "tags": tuple(fields.get("tags", ()))})
        for path in sorted((DATA / "records").glob("*.json"))
        for fields in _read(path)
    ]
    return sorted(found, key=lambda entry: (-entry.days_ago, entry.at))


def workspace_files(agent: str, loaded: datetime) -> dict[str, str]:
    """Return path and text of an agent's files; `ago-3` in a name becomes the date."""
    root = DATA / "workspaces" / agent
    today = loaded.astimezone(UTC).date()

    def dated(match: re.Match[str]) -> str:
        return (today - timedelta(days=int(match[1]))).isoformat()

    return {
        _AGO.sub(dated, path.relative_to(root).as_posix()): path.read_text("utf-8")
        for path in sorted(root.rglob("*.md"))
    }


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
